import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { deliveryPath } from './delivery-path.ts';

const queuedShape = Type.Object(
  { status: Type.String({ const: 'queued' }) },
  { description: 'It is sent as soon as a worker is free.', examples: [{ status: 'queued' }] },
);

/** POST /api/merchants/{id}/deliveries/{event_id}/replay */
export function replayDelivery(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: Type.Static<typeof deliveryPath> }>(
    '/merchants/:id/deliveries/:event_id/replay',
    {
      schema: {
        tags: ['Deliveries'],
        operationId: 'replayDelivery',
        summary: 'Send one event again',
        description:
          'Whatever became of it before. Body and deduplication id stay the same, so the merchant may have seen it; failures are redelivered for another 7 days.',
        params: deliveryPath,
        response: { 202: queuedShape, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { id: merchantId, event_id: eventId } = request.params;
      const outcome = await deps.api.replayDelivery({ merchantId, eventId });
      if (outcome.kind === 'not_found') {
        throw new AppError('not_found', 'The merchant has no event of this id.');
      }
      return reply.code(202).send({ status: 'queued' });
    },
  );
}
