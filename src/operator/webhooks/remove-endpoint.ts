import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { endpointPath, foundEndpoint } from './endpoint-shape.ts';

/** DELETE /api/merchants/{id}/webhook-endpoints/{endpoint_id} */
export const removeEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'removeEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Remove a webhook endpoint',
    description:
      'Nothing more is sent to it, including pending events; its secrets are destroyed. Its past deliveries can still be read.',
  },
  schema: { path: endpointPath },
  answers: { 204: Type.Null({ description: 'It is removed.' }), ...refusals(404) },
  async answer({ path }, { api }: OperatorDeps) {
    const { id: merchantId, endpoint_id: endpointId } = path;
    const isRemoved = await api.removeEndpoint({ merchantId, endpointId });
    foundEndpoint(isRemoved || undefined);
    return noContent;
  },
});
