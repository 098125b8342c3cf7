import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { testJson, testShape } from '../merchants/test-endpoint.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { endpointPath, foundEndpoint } from './endpoint-shape.ts';

/** POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/test */
export const testFurtherEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}/test',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'testFurtherEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Send a webhook endpoint a test',
    description: 'A webhook of the type `test`, signed like every other; it names no payment.',
  },
  schema: { path: endpointPath },
  answers: { 200: testShape, ...refusals(404) },
  async answer({ path }, { api }: OperatorDeps) {
    const { id: merchantId, endpoint_id: endpointId } = path;
    const tested = await api.testFurtherEndpoint({ merchantId, endpointId });
    return contentAnswer(testJson(foundEndpoint(tested)));
  },
});
