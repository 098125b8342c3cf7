import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { newEndpoint, newEndpointBody } from './endpoint-body.ts';
import { endpointJson, signedEndpointShape } from './endpoint-shape.ts';

/** POST /api/merchants/{id}/webhook-endpoints */
export const createEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/webhook-endpoints',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'createEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Add a webhook endpoint',
    description:
      'It gets the events of its types from then on, beside the merchant’s own webhook address, which gets them all. What it is sent is signed by a secret of its own, shown once. A merchant has ten at most.',
  },
  schema: { path: merchantPath, body: newEndpointBody },
  answers: { 201: signedEndpointShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { merchantId } = await findMerchant(deps.db, path.id);
    const created = await deps.api.createEndpoint(newEndpoint(merchantId, body));
    const { endpoint, signingSecret } = created;
    return contentAnswer({ ...endpointJson(endpoint), signing_secret: signingSecret }, 201);
  },
});
