import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { dayMs } from '../../../domain/clock.ts';
import { parseIsoDuration } from '../../../domain/duration.ts';
import { InvalidRequest } from '../invalid-request.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';
import { issuedJson, issuedShape, kindField } from './credential-shape.ts';

/** A day lets everyone take the new one up; months would keep what rotation is to end. */
const overlapDefault = 'P1D';
const overlapMostDays = 90;

const rotateBody = Type.Object(
  {
    kind: kindField,
    overlap: Type.Optional(
      Type.String({
        description: `How long the present ones stay valid, as an ISO 8601 duration: PT0S ends them at once, P${overlapMostDays}D is the most. Default: ${overlapDefault}.`,
      }),
    ),
  },
  { additionalProperties: false, examples: [{ kind: 'signing_secret', overlap: 'P1D' }] },
);

/** POST /api/merchants/{id}/credentials/rotate */
export function rotateCredential(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: MerchantPath; Body: Type.Static<typeof rotateBody> }>(
    '/merchants/:id/credentials/rotate',
    {
      schema: {
        tags: ['Credentials'],
        operationId: 'rotateCredential',
        summary: 'Rotate a credential',
        description:
          'Issues a new one and lets the present ones of its kind end after the overlap. It cannot be read again: keep it.',
        params: merchantPath,
        body: rotateBody,
        response: { 201: issuedShape, ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { kind, overlap = overlapDefault } = request.body;
      const { id } = request.params;
      const issued = found(await deps.api.rotateCredential(id, kind, overlapMs(overlap)));
      return reply.code(201).send(issuedJson(issued));
    },
  );
}

function overlapMs(text: string): number {
  const reading = parseIsoDuration(text);
  if ('durationMs' in reading && reading.durationMs <= overlapMostDays * dayMs) {
    return reading.durationMs;
  }
  const why = 'fault' in reading ? reading.fault : `may not be longer than P${overlapMostDays}D`;
  throw new InvalidRequest([{ at: 'overlap', text: `Input ${why}` }]);
}
