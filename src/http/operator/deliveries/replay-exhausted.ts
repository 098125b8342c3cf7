import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { timeField } from '../../fields.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';

const replayBody = Type.Object(
  { since: timeField('Of events created at this time or later.') },
  { additionalProperties: false, examples: [{ since: '2026-03-01T00:00:00Z' }] },
);
const queuedShape = Type.Object(
  {
    queued: Type.Integer({ minimum: 0 }),
    begun_at: timeField("The service's time; what is left is counted of events created before it."),
  },
  {
    description: 'How many are sent again.',
    examples: [{ queued: 12, begun_at: '2026-03-09T09:30:00.000Z' }],
  },
);

/** POST /api/merchants/{id}/deliveries/replay */
export function replayExhausted(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: MerchantPath; Body: Type.Static<typeof replayBody> }>(
    '/merchants/:id/deliveries/replay',
    {
      schema: {
        tags: ['Deliveries'],
        operationId: 'replayExhausted',
        summary: 'Send again what was given up',
        description:
          'For a merchant whose server was down for longer than the 7 days. It goes on in the ' +
          'background, after a restart too. Asked again, it does nothing twice: what was queued is ' +
          'no longer given up. `GET` of the same address tells what is left.',
        params: merchantPath,
        body: replayBody,
        response: { 202: queuedShape, ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { merchantId } = await findMerchant(deps.api, request.params.id);
      const since = new Date(request.body.since);
      const { queued, begunAt } = await deps.api.replayExhausted({ merchantId, since });
      return reply.code(202).send({ queued, begun_at: begunAt.toISOString() });
    },
  );
}
