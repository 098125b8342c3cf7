import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { anyEndpointPath, foundEndpoint } from './endpoint-shape.ts';

const pausedShape = Type.Object(
  { paused: Type.Boolean({ description: 'false: it was so already.' }) },
  { description: 'How it is now.', examples: [{ paused: true }] },
);

/** POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/pause */
export const pauseEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}/pause',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'pauseEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Pause a webhook endpoint',
    description:
      'It is sent nothing until it is resumed. What would be sent is kept, and no send of the seven days is used up.',
  },
  schema: { path: anyEndpointPath },
  answers: { 200: pausedShape, ...refusals(404) },
  async answer({ path }, { api }: OperatorDeps) {
    const { id: merchantId, endpoint_id: endpointId } = path;
    const paused = foundEndpoint(await api.pauseEndpoint({ merchantId, endpointId }));
    return contentAnswer({ paused });
  },
});
