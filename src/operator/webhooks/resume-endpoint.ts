import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { anyEndpointPath, foundEndpoint } from './endpoint-shape.ts';

const resumedShape = Type.Object(
  { resumed: Type.Boolean({ description: 'false: it was so already.' }) },
  { description: 'How it is now.', examples: [{ resumed: true }] },
);

/** POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/resume */
export const resumeEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}/resume',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'resumeEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Resume a webhook endpoint',
    description:
      'What was kept meanwhile is sent at once, and redelivered as long as every other event. What was given up before the pause is sent again by a replay.',
  },
  schema: { path: anyEndpointPath },
  answers: { 200: resumedShape, ...refusals(404) },
  async answer({ path }, { api }: OperatorDeps) {
    const { id: merchantId, endpoint_id: endpointId } = path;
    const resumed = foundEndpoint(await api.resumeEndpoint({ merchantId, endpointId }));
    return contentAnswer({ resumed });
  },
});
