import type { TSchema } from 'typebox';
import { release } from '../../domain/release.ts';
import { detailed, retryStatusOperation } from './retry-status-docs.ts';
import {
  customerActionRequiredBody,
  customerActionRequiredExamples,
  customerActionResolvedBody,
  customerActionResolvedExamples,
  endOfDunningBody,
  endOfDunningExamples,
  incidentBody,
  incidentExamples,
  retryResultBody,
  retryResultExamples,
  testBody,
  testExamples,
} from './webhook-bodies.ts';

const description = `What your own server answers: the final check before each charge, and the webhook that tells what became of it.

Both are called with the credentials that you chose: \`x-api-key\`, HTTP Basic or none. Only https on port 443 or 8443 is
called, no redirect is followed, and an answer may have 64 KiB. The webhook is signed; see docs/verifying-webhooks.md.`;

/** The OpenAPI 3.1 document of what a merchant hosts, made from the schemas that read its answers. */
export function merchantOpenApi(): object {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Endpoints that a merchant hosts', version: release, description },
    servers: [{ url: 'https://billing.acme.example', description: 'Your own server.' }],
    tags: [
      { name: 'Final check', description: 'Asked before each charge.' },
      { name: 'Webhooks', description: 'Told after each attempt.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
    security: [{ apiKey: [] }, { basic: [] }, {}],
    paths: { '/retry/{invoice_id}': { post: retryStatusOperation } },
    webhooks: {
      retry_result: webhook({
        operationId: 'retryResult',
        summary: 'Learn the result of an attempt',
        description: 'Sent after each attempt that reached the PSP.',
        body: retryResultBody,
        examples: retryResultExamples,
      }),
      end_of_dunning: webhook({
        operationId: 'endOfDunning',
        summary: 'Learn that a recovery is over',
        description: 'Sent once, when a payment reaches its last state, if you asked for it.',
        body: endOfDunningBody,
        examples: endOfDunningExamples,
      }),
      incident: webhook({
        operationId: 'incident',
        summary: 'Learn that the records of a charge contradict each other',
        description:
          'Sent when an incident is found, if you asked for it. Nothing more is charged for the invoice until your operator has decided.',
        body: incidentBody,
        examples: incidentExamples,
      }),
      customer_action_required: webhook({
        operationId: 'customerActionRequired',
        summary: 'Learn that a customer has to act',
        description:
          'Sent when no retry can recover a payment as it is, if you asked for it: only a new or updated payment method brings the next one. And, with reason card_expiring, when the card of a subscription ends before its next renewal.',
        body: customerActionRequiredBody,
        examples: customerActionRequiredExamples,
      }),
      customer_action_resolved: webhook({
        operationId: 'customerActionResolved',
        summary: 'Learn that a wait for a customer is over',
        description: 'Sent when such a wait is over, if you asked for it.',
        body: customerActionResolvedBody,
        examples: customerActionResolvedExamples,
      }),
      test: webhook({
        operationId: 'test',
        summary: 'Answer a test of your address',
        description:
          'Sent when an operator tests your address; verify it, answer 200 and do nothing else.',
        body: testBody,
        examples: testExamples,
        delivery: 'It is sent once: whatever you answer, it is not sent again.',
      }),
    },
  };
  const withoutMarks = (key: string, value: unknown) => (key === 'x-id' ? undefined : value);
  return JSON.parse(JSON.stringify(document, withoutMarks)) as object;
}

const atLeastOnce =
  'Delivery is at least once: the same deduplication id is the same event. Only 200 acknowledges it; else it is sent again every 12 hours for 7 days.';

function webhook(input: {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  readonly examples: Readonly<Record<string, object>>;
  /** Default: at least once. */
  readonly delivery?: string;
}): object {
  const examples = Object.entries(input.examples).map(([name, value]) => [name, { value }]);
  return {
    post: {
      operationId: input.operationId,
      tags: ['Webhooks'],
      summary: input.summary,
      description: `${input.description} ${input.delivery ?? atLeastOnce}`,
      parameters: headers.map(([name, type, words]) => ({
        name,
        in: 'header',
        required: true,
        description: words,
        schema: { type },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: input.body, examples: Object.fromEntries(examples) },
        },
      },
      responses: {
        200: detailed('You have it.', 'Event delivered successfully'),
        500: detailed(
          input.delivery === undefined
            ? 'You could not take it; it is sent again.'
            : 'You could not take it.',
          'Server is unavailable',
        ),
      },
    },
  };
}

const headers = [
  ['X-Service-Webhook-Type', 'string', 'The kind of event.'],
  [
    'X-Service-Webhook-Expiration',
    'integer',
    'Unix time after which the signature counts no more.',
  ],
  ['X-Service-Webhook-Signature', 'string', 'HMAC-SHA256 over body and expiration, in hex.'],
  ['X-Service-Webhook-Deduplication-ID', 'string', 'The same in every delivery of the event.'],
  ['webhook-id', 'string', "The event's id, as Standard Webhooks has it."],
  ['webhook-timestamp', 'integer', 'When this delivery was sent, in Unix time.'],
  ['webhook-signature', 'string', 'One signature for each valid secret, by Standard Webhooks.'],
] as const;
