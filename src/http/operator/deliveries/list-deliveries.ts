import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import { deliveryStates } from '../../../domain/states.ts';
import { idField, wordField } from '../../fields.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import {
  type MerchantPath,
  merchantPath,
  pageJson,
  pageOf,
  pageQuery,
  pageShape,
  refusals,
} from '../shapes.ts';
import { operatorDeliveryJson, operatorDeliveryShape } from './operator-delivery-shape.ts';

const query = Type.Object(
  {
    status: Type.Optional(wordField(deliveryStates, 'Only those in this state.')),
    invoice_id: Type.Optional(idField('Only those of this invoice.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/merchants/{id}/deliveries */
export function listDeliveries(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: MerchantPath; Querystring: Type.Static<typeof query> }>(
    '/merchants/:id/deliveries',
    {
      schema: {
        tags: ['Deliveries'],
        operationId: 'listDeliveries',
        summary: "List a merchant's webhook deliveries",
        description: 'The newest first, each with the log of its tries.',
        params: merchantPath,
        querystring: query,
        response: {
          200: pageShape(operatorDeliveryShape, 'One page of them.'),
          ...refusals(400, 404),
        },
      },
    },
    async (request) => {
      const { status, invoice_id: invoiceId } = request.query;
      const { merchantId } = await findMerchant(deps.api, request.params.id);
      const page = await deps.api.listDeliveries({
        merchantId,
        ...present({ status, invoiceId }),
        ...pageOf(request.query),
      });
      return pageJson(page, operatorDeliveryJson);
    },
  );
}
