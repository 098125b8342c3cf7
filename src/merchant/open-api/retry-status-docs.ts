import { Type } from 'typebox';
import { Consent, Decision } from '../retry-status/retry-status-schema.ts';

const detail = Type.Object({ detail: Type.String() });

const refusal = Type.Object({ ...Decision.properties, retry: Type.Literal(false) });

const yes = { retry: true, reason: 'Invoice open' };

const answers = {
  retry: yes,
  smaller_amount_and_named_methods: {
    ...yes,
    amount: 9.99,
    metadata: { dunning_step: '3' },
    payment_methods: [
      { id: 'pm_1001', network_transaction_id: 'nt_1001', bin: '424242' },
      {
        token: { id: 'tok_1002', expiration_month: '07', expiration_year: '29' },
        billing_address: { name: 'Jane Roe', city: 'Austin', state: 'TX', zip: '73301' },
      },
    ],
  },
  paid_already: { retry: false, reason: 'User Recovered via Payment Method Update' },
  cancelled: { retry: false, reason: 'User Cancelation' },
};

/** POST to the retry-status address: the final check before each charge. */
export const retryStatusOperation = {
  operationId: 'retryStatus',
  tags: ['Final check'],
  summary: 'Say whether an invoice may be charged now',
  description: `Recoup asks before each charge, and charges only after a yes. Answer from your own books: whether the invoice
is still open, what may be charged, and with which payment methods.

An answer that cannot be understood, a time-out or a status that is not listed charges nothing: the attempt is postponed.
The address is yours to choose; \`{invoice_id}\` in its path or query is replaced, else the id is appended to the path.`,
  parameters: [
    {
      name: 'invoice_id',
      in: 'path',
      required: true,
      description: 'Your id of the invoice, percent-encoded.',
      schema: { type: 'string' },
      example: 'in_1001',
    },
  ],
  requestBody: {
    required: false,
    content: {
      'application/json': {
        schema: Type.Object({
          custom: Type.Optional(
            Type.Unsafe<object>({
              type: 'object',
              description: 'What you sent as custom with the failed payment, unchanged.',
            }),
          ),
        }),
        examples: { custom: { value: { custom: { plan: 'gold' } } }, none: { value: {} } },
      },
    },
  },
  responses: {
    200: {
      description:
        'Your decision. No ends the recovery. Types are strict: no text for a number; an optional field that is null is the same as left out.',
      content: {
        'application/json': {
          schema: { oneOf: [titled('Retry', Consent), titled('Do not retry', refusal)] },
          examples: Object.fromEntries(
            Object.entries(answers).map(([name, value]) => [name, { value }]),
          ),
        },
      },
    },
    401: detailed(
      'The credentials are wrong. Nothing is charged; the attempt is postponed.',
      'Missing or invalid api key',
    ),
    404: detailed(
      'You have no such invoice: the recovery ends. It needs a detail of your own words, so that a mistyped address ends none.',
      'An invoice with the provided ID cannot be found',
    ),
    429: {
      ...detailed(
        'Too many questions: Recoup waits as long as Retry-After says, a day at most.',
        'Requests have exceeded rate limiting',
      ),
      headers: {
        'Retry-After': {
          description: 'Seconds to wait, or an HTTP date.',
          schema: { type: 'string' },
          example: '60',
        },
      },
    },
    500: detailed(
      'You cannot say now. Nothing is charged; the attempt is postponed.',
      'A server error has occurred',
    ),
  },
};

function titled(title: string, schema: object): object {
  return { title, ...schema };
}

/** An answer that is a `detail` alone. */
export function detailed(description: string, words: string) {
  return {
    description,
    content: { 'application/json': { schema: detail, example: { detail: words } } },
  };
}
