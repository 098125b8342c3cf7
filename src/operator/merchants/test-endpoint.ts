import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { type EndpointTest, endpointKinds } from '../../recovery/operator-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { found } from './find-merchant.ts';

const endpointField = enumField(endpointKinds, "Which of the merchant's two addresses.");

const testBody = Type.Object(
  { endpoint: endpointField },
  { additionalProperties: false, examples: [{ endpoint: 'webhook' }] },
);

export const testShape = Type.Object(
  {
    endpoint: endpointField,
    result: enumField(['passed', 'failed'], 'Whether the engine could use the answer.'),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status, if there was one.' })),
    duration_ms: Type.Integer({ description: 'How long the call took.' }),
    message: Type.String({ description: 'What happened.' }),
    advice: Type.Optional(Type.String({ description: 'What to mend.' })),
    sent_at: timeField("When it was called, in the service's time."),
  },
  {
    title: 'EndpointTest',
    description: 'How the call went.',
    examples: [
      {
        endpoint: 'webhook',
        result: 'passed',
        status: 200,
        duration_ms: 84,
        message: 'The test webhook was acknowledged.',
        sent_at: '2026-03-01T09:30:00.000Z',
      },
    ],
  },
);

/** POST /api/merchants/{id}/endpoints/test */
export const testEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/endpoints/test',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'testEndpoint',
    tag: 'Merchants',
    summary: "Call one of a merchant's addresses to test it",
    description:
      'Affects no payment. The webhook is signed like every other and has the type `test`; the ' +
      'final check asks for the invoice `recoup_endpoint_test`.',
  },
  schema: { path: merchantPath, body: testBody },
  answers: { 200: testShape, ...refusals(400, 404) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { endpoint } = body;
    const test = found(await deps.api.testEndpoint(path.id, endpoint));
    return contentAnswer(testJson(test));
  },
});

export function testJson(test: EndpointTest): Type.Static<typeof testShape> {
  return present({
    endpoint: test.endpoint,
    result: test.result,
    status: test.status,
    duration_ms: Math.round(test.durationMs),
    message: test.message,
    advice: test.advice,
    sent_at: test.sentAt.toISOString(),
  });
}
