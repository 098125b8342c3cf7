import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { endpointChange, endpointChangeBody } from './endpoint-body.ts';
import { endpointJson, endpointPath, endpointShape, foundEndpoint } from './endpoint-shape.ts';

/** PATCH /api/merchants/{id}/webhook-endpoints/{endpoint_id} */
export const changeEndpoint = defineEndpoint({
  method: 'PATCH',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'changeEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Change a webhook endpoint',
    description:
      'Takes effect with the next send; its types with the next event. An address at another server needs auth and headers beside it, where there are any. `PATCH /api/merchants/{id}` changes the merchant’s own webhook address.',
  },
  schema: { path: endpointPath, body: endpointChangeBody },
  answers: { 200: endpointShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, { api }: OperatorDeps) {
    const { id: merchantId, endpoint_id: endpointId } = path;
    const changed = await api.changeEndpoint({ merchantId, endpointId }, endpointChange(body));
    return contentAnswer(endpointJson(foundEndpoint(changed)));
  },
});
