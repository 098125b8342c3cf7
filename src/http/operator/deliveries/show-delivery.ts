import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { deliveryPath } from './delivery-path.ts';
import { operatorDeliveryJson, operatorDeliveryShape } from './operator-delivery-shape.ts';

const headerShape = Type.Object(
  { name: Type.String(), value: Type.String() },
  { examples: [{ name: 'webhook-id', value: 'evt_7c1x5h2j9w3m0q8n4t6r2b1k' }] },
);

const detailShape = Type.Object(
  {
    delivery: operatorDeliveryShape,
    body: Type.String({
      description: 'The exact text that is signed and sent.',
      examples: ['{"type":"retry_result","timestamp":1772357400,"data":{"invoice_id":"in_20931"}}'],
    }),
    headers: Type.Array(headerShape, {
      description: 'Of the latest send; secrets and signatures are masked.',
    }),
  },
  { title: 'DeliveryDetail', description: 'The event as it is sent, and every send.' },
);

/** GET /api/merchants/{id}/deliveries/{event_id} */
export function showDelivery(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: Type.Static<typeof deliveryPath> }>(
    '/merchants/:id/deliveries/:event_id',
    {
      schema: {
        tags: ['Deliveries'],
        operationId: 'showDelivery',
        summary: 'Show an event as it is sent',
        params: deliveryPath,
        response: { 200: detailShape, ...refusals(404) },
      },
    },
    async (request) => {
      const { id: merchantId, event_id: eventId } = request.params;
      const detail = await deps.api.showDelivery({ merchantId, eventId });
      if (detail === undefined) {
        throw new AppError('not_found', 'The merchant has no event of this id.');
      }
      const { delivery, body, headers } = detail;
      return { delivery: operatorDeliveryJson(delivery), body, headers: headers.slice() };
    },
  );
}
