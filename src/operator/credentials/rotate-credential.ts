import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, ourIdField, refusals } from '../shapes.ts';
import { issuedJson, issuedShape, kindField, wantedFields, wantedOf } from './credential-shape.ts';
import { overlapField, overlapMs } from './overlap.ts';

const rotateBody = Type.Object(
  {
    kind: kindField,
    ...wantedFields,
    credential_id: Type.Optional(
      ourIdField('The one to end. Default: all of the kind. Not for signing secrets.'),
    ),
    overlap: Type.Optional(overlapField),
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
      'Issues a new one and ends the existing ones of its kind, or the one named, after the overlap. It cannot be read again: store it now.',
  },
  schema: { path: merchantPath, body: rotateBody },
  answers: { 201: issuedShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { overlap, credential_id: replaces } = body;
    const { id } = path;
    const wanted = { ...wantedOf(body), ...present({ replaces }) };
    const issued = found(await deps.api.rotateCredential(id, wanted, overlapMs(overlap)));
    return contentAnswer(issuedJson(issued), 201);
  },
});
