import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { sentHeaders } from '../../merchant/sent-headers.ts';
import { listEndpointsOf } from '../../store/endpoints/endpoint-store.ts';
import { findOperatorDelivery } from '../../store/reports/operator-deliveries.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { deliveryPath, endpointQuery, furtherEndpoint, noSuchDelivery } from './delivery-path.ts';
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
export const showDelivery = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/deliveries/{event_id}',
  needs: { role: 'viewer', reach: 'path' },
  docs: { id: 'showDelivery', tag: 'Deliveries', summary: 'Show an event as it is sent' },
  schema: { path: deliveryPath, query: endpointQuery },
  answers: { 200: detailShape, ...refusals(404) },
  async answer({ path, query }, { db, settings }: Pick<OperatorDeps, 'db' | 'settings'>) {
    const { id: merchantId, event_id: eventId } = path;
    const endpointId = furtherEndpoint(query.endpoint_id);
    const merchant = await findMerchant(db, merchantId);
    const endpoint = (await listEndpointsOf(db, merchantId)).find(
      (each) => each.endpointId === endpointId,
    );
    const key = { merchantId, eventId, ...present({ endpointId }) };
    const found = await findOperatorDelivery(db, key);
    if (found === undefined) throw noSuchDelivery(endpointId);
    const { delivery, body } = found;
    const headers = sentHeaders({
      eventId: delivery.eventId,
      type: delivery.type,
      sentAt: delivery.log.at(-1)?.sentAt,
      authType: (endpoint ?? merchant).authType,
      headerNames: endpoint?.headerNames ?? [],
      signatureValidityMs: settings.webhookSignatureValidityMs,
    });
    return contentAnswer({
      delivery: operatorDeliveryJson(delivery),
      body,
      headers: headers.slice(),
    });
  },
});
