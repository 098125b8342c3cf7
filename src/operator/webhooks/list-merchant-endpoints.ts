import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listEndpointsOf } from '../../store/endpoints/endpoint-store.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { endpointJson, endpointShape, primaryEndpointJson } from './endpoint-shape.ts';

/** GET /api/merchants/{id}/webhook-endpoints */
export const listMerchantEndpoints = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/webhook-endpoints',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listMerchantEndpoints',
    tag: 'Webhook endpoints',
    summary: "List a merchant's webhook endpoints",
    description: 'The merchant’s own webhook address first, then the others, the oldest first.',
  },
  schema: { path: merchantPath },
  answers: {
    200: Type.Object({ items: Type.Array(endpointShape) }, { description: 'All of them.' }),
    ...refusals(404),
  },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const merchant = await findMerchant(db, path.id);
    const further = await listEndpointsOf(db, merchant.merchantId);
    return contentAnswer({ items: [primaryEndpointJson(merchant), ...further.map(endpointJson)] });
  },
});
