import { Type } from 'typebox';
import { dayMs } from '../../domain/clock.ts';
import { parseIsoDuration } from '../../domain/duration.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { InvalidRequest } from '../invalid-request.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, ourIdField, refusals } from '../shapes.ts';
import { issuedJson, issuedShape, kindField, wantedFields, wantedOf } from './credential-shape.ts';

/** A day lets everyone take the new one up; months would keep what rotation is to end. */
const overlapDefault = 'P1D';
const maxOverlapDays = 90;

const rotateBody = Type.Object(
  {
    kind: kindField,
    ...wantedFields,
    credential_id: Type.Optional(
      ourIdField('The only one to end. Default: all of the kind. Not of signing secrets.'),
    ),
    overlap: Type.Optional(
      Type.String({
        description: `How long the present ones stay valid, as an ISO 8601 duration: PT0S ends them at once, P${maxOverlapDays}D is the most. Default: ${overlapDefault}.`,
      }),
    ),
  },
  { additionalProperties: false, examples: [{ kind: 'signing_secret', overlap: 'P1D' }] },
);

/** POST /api/merchants/{id}/credentials/rotate */
export const rotateCredential = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/credentials/rotate',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'rotateCredential',
    tag: 'Credentials',
    summary: 'Rotate a credential',
    description:
      'Issues a new one and lets the present ones of its kind, or the one that is named, end after the overlap. It cannot be read again: keep it.',
  },
  schema: { path: merchantPath, body: rotateBody },
  answers: { 201: issuedShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { overlap = overlapDefault, credential_id: replaces } = body;
    const { id } = path;
    const wanted = { ...wantedOf(body), ...present({ replaces }) };
    const issued = found(await deps.api.rotateCredential(id, wanted, overlapMs(overlap)));
    return contentAnswer(issuedJson(issued), 201);
  },
});

function overlapMs(text: string): number {
  const reading = parseIsoDuration(text);
  if ('durationMs' in reading && reading.durationMs <= maxOverlapDays * dayMs) {
    return reading.durationMs;
  }
  const why = 'fault' in reading ? reading.fault : `may not be longer than P${maxOverlapDays}D`;
  throw new InvalidRequest([{ at: 'overlap', text: `Input ${why}` }]);
}
