import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { deliveryStates } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, idField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listOperatorDeliveries } from '../../store/reports/operator-deliveries.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { endpointIdField, furtherEndpoint } from './delivery-path.ts';
import { operatorDeliveryJson, operatorDeliveryShape } from './operator-delivery-shape.ts';

const query = Type.Object(
  {
    status: Type.Optional(enumField(deliveryStates, 'Only those in this state.')),
    invoice_id: Type.Optional(idField('Only those of this invoice.')),
    endpoint_id: Type.Optional(endpointIdField),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/merchants/{id}/deliveries */
export const listDeliveries = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/deliveries',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listDeliveries',
    tag: 'Deliveries',
    summary: "List a merchant's webhook deliveries",
    description: 'Newest first, each with the log of its sends.',
  },
  schema: { path: merchantPath, query },
  answers: {
    200: pageShape(operatorDeliveryShape, 'One page of them.'),
    ...refusals(400, 404),
  },
  async answer({ path, query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { status, invoice_id: invoiceId } = query;
    const endpointId = furtherEndpoint(query.endpoint_id);
    const { merchantId } = await findMerchant(db, path.id);
    const page = await listOperatorDeliveries(db, {
      merchantId,
      ...present({ status, invoiceId, endpointId }),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, operatorDeliveryJson));
  },
});
