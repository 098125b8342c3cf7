import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchantClient } from '../../../src/merchant/merchant-client.ts';
import { merchantOpenApi } from '../../../src/merchant/open-api/merchant-open-api.ts';
import {
  endOfDunningBody,
  incidentBody,
  retryResultBody,
} from '../../../src/merchant/open-api/webhook-bodies.ts';
import { sendTest } from '../../../src/recovery/admin/test-endpoint.ts';
import { endOfDunning, retryResult } from '../../../src/recovery/engine/announce.ts';
import { incidentEvent } from '../../../src/recovery/incidents/incident-event.ts';
import { random } from '../../kits/engine.ts';
import { type FakeMerchant, startFakeMerchant } from '../../kits/fake-merchant.ts';
import { operationsOf, schemaFaults } from '../../kits/open-api.ts';
import { merchant, paymentContext } from '../../recovery/engine/payment-context.ts';
import { merchantAt } from '../merchant-at.ts';

/** What the document shows is sent by the service's own client, and answered as the document shows. */

const now = new Date('2026-06-06T00:00:06Z');
const secrets = {
  auth: { type: 'api_key', api_key: 'key-of-the-merchant' },
  signingSecrets: ['secret-of-the-merchant'],
} as const;
const client = createMerchantClient({
  allow: ['127.0.0.1/32'],
  timeoutMs: 5000,
  elapsedMs: () => performance.now(),
  clock: { now: () => now },
});

let fake: FakeMerchant;
beforeAll(async () => {
  fake = await startFakeMerchant({ signingSecret: 'secret-of-the-merchant', now: () => now });
});
afterAll(async () => {
  await client.close();
  await fake.close();
});

const operations = operationsOf(merchantOpenApi());
const [retryStatus, ...webhooks] = operations;

/** What each documented answer of the final check means to the service. */
const meanings: Readonly<Record<string, string>> = {
  '200 retry': 'retry',
  '200 smaller_amount_and_named_methods': 'retry',
  '200 paid_already': 'do_not_retry',
  '200 cancelled': 'do_not_retry',
  '401 example': 'no_answer',
  '404 example': 'not_found',
  '429 example': 'rate_limited',
  '500 example': 'no_answer',
};

describe('the final check', () => {
  const answers = [...(retryStatus?.answers ?? [])].flatMap(([status, { examples }]) =>
    examples.map(({ name, value }) => ({ status, name: `${status} ${name}`, value })),
  );

  test('every documented answer has a known meaning', () => {
    expect(answers.map(({ name }) => name).sort()).toEqual(Object.keys(meanings).sort());
  });

  test.each(answers)('$name is understood', async ({ name, status, value }) => {
    fake.answerLookups({ status, body: value });
    const answer = await client.askRetryStatus({
      merchant: merchantAt(fake),
      secrets,
      invoiceId: 'in_1001',
    });
    expect(answer.kind).toBe(meanings[name]);
    if (status === 200) expect(answer).toMatchObject({ reason: value.reason });
  });

  test('the document gives the month and the year of a token in two digits each', () => {
    const tokens = answers.flatMap(({ value }) => {
      const { payment_methods = [] } = value as { payment_methods?: { token?: object }[] };
      return payment_methods.flatMap(({ token }) => token ?? []);
    });
    expect(tokens).toEqual([
      expect.objectContaining({
        expiration_month: expect.stringMatching(/^\d{2}$/),
        expiration_year: expect.stringMatching(/^\d{2}$/),
      }),
    ]);
  });

  test('is asked as documented', async () => {
    const { schema = {}, examples = [] } = retryStatus?.body ?? {};
    expect(examples.length).toBeGreaterThan(1);
    for (const { value } of examples) {
      fake.answerLookups({});
      await client.askRetryStatus({
        merchant: merchantAt(fake),
        secrets,
        invoiceId: 'in 1/001',
        ...value,
      });
      const call = fake.lookups.at(-1);
      expect(call).toMatchObject({ method: 'POST', invoiceId: 'in 1/001', json: value });
      expect(schemaFaults(schema, call?.json)).toEqual([]);
    }
  });
});

describe.each(webhooks)('the webhook $path', ({ path, body, answers }) => {
  test('is sent as documented, and each documented answer is understood', async () => {
    for (const { value } of body?.examples ?? []) {
      for (const [status, { examples }] of answers) {
        fake.answerWebhooks({ status, body: examples[0]?.value });
        const result = await client.sendWebhook({
          url: fake.webhookUrl,
          secrets,
          eventId: 'evt_1h4vr3w6z9k2m5n8q1s4t7x0',
          type: path,
          body: JSON.stringify(value),
          sentAt: now,
        });
        expect(result.kind).toBe(status === 200 ? 'delivered' : 'failed');
        const call = fake.webhooks.at(-1);
        expect(call).toMatchObject({ isSigned: true, isExpired: false, type: path, json: value });
        for (const name of documentedHeaders) expect(call?.headers).toHaveProperty([name]);
      }
    }
  });
});

const documentedHeaders = [
  'x-service-webhook-type',
  'x-service-webhook-expiration',
  'x-service-webhook-signature',
  'x-service-webhook-deduplication-id',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

test('the webhook of a test is documented as it is sent', async () => {
  fake.answerWebhooks({});
  const call = { url: fake.webhookUrl, secrets, sentAt: now };
  await sendTest({ merchantClient: client, random }, call);
  const sent = fake.webhooks.at(-1);
  const documented = webhooks.find(({ path }) => path === sent?.type);
  expect(schemaFaults(documented?.body?.schema ?? { not: {} }, sent?.json)).toEqual([]);
  expect(documented?.body?.examples.map(({ value }) => value)).toEqual([sent?.json]);
});

test('the documented bodies are those that the engine writes', () => {
  const payment = paymentContext({ custom: { plan: 'gold' } });
  const transaction = {
    ordinal: 1,
    idempotencyKey: 'att_1-1',
    paymentMethodId: 'pm_1',
    amountMinor: 1223,
    currency: 'USD',
    pspTransactionId: 'ch_9',
    sentAt: now,
    connectionVersion: 1,
  };
  for (const transactions of [
    [{ ...transaction, state: 'succeeded', networkTransactionId: 'net_9' }],
    [{ ...transaction, state: 'declined' }],
  ] as const) {
    const event = retryResult({ random }, { payment, attemptId: 'att_1', transactions, at: now });
    expect(schemaFaults(retryResultBody as never, JSON.parse(event.body))).toEqual([]);
  }
  const told = { ...merchant, endOfDunning: true };
  const [end] = endOfDunning({ random }, { payment, merchant: told, state: 'recovered', at: now });
  expect(schemaFaults(endOfDunningBody as never, JSON.parse(end?.body ?? ''))).toEqual([]);
  const side = { state: 'declined', amountMinor: 1223, currency: 'USD', isLive: true, at: now };
  for (const sides of [{ ours: side, theirs: { state: 'none' } }, { theirs: side }]) {
    const incident = {
      merchantId: 'mer_1',
      kind: 'contradiction',
      subject: 'ch_9',
      invoiceId: 'in_1',
      psp: 'stripe',
      charge: 'ch_9',
      detail: 'the PSP says declined of a charge that is recorded as succeeded',
      at: now,
      ...sides,
    } as const;
    const found = incidentEvent({ random }, { incident, incidentId: 'inc_1', custom: null });
    expect(schemaFaults(incidentBody as never, JSON.parse(found.body))).toEqual([]);
  }
});
