import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../src/domain/clock.ts';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { connectionStringOf } from '../kits/data-dirs.ts';
import { type FakeAnswer, type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { readLedgerFile } from '../kits/ledger-file.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  brokenPromises,
  type Caller,
  createMerchant,
  expectStatus,
  type PaymentJson,
  recoveryApi,
  serviceNow,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
let service: Service;
let server: FakeMerchant;
let api: Caller;
/** What the merchant's server says about each invoice, at the final check and to its events. */
const lookupAnswers = new Map<string, FakeAnswer>();
const webhookAnswers = new Map<string, FakeAnswer>();
const yes = { retry: true, reason: 'Invoice open' };

beforeAll(async () => {
  // Time-outs that are waited for, and still ten times as long as an answer takes.
  service = await services.start({ env: { MERCHANT_TIMEOUT: '1s', WEBHOOK_TIMEOUT: '1s' } });
  server = await startFakeMerchant();
  server.answerLookups((call) => lookupAnswers.get(call.invoiceId) ?? { body: yes });
  server.answerWebhooks((call) => {
    const { invoice_id } = call.json as { invoice_id: string };
    return webhookAnswers.get(invoice_id) ?? { body: { detail: 'Event delivered successfully' } };
  });
  const { apiKey } = await createMerchant(service, server);
  api = recoveryApi(service, apiKey);
});
afterAll(() => server.close());

/** Has a failed payment retried now, until its result is known and reported. */
async function retryNow(invoiceId: string, methods = cardsOf(invoiceId)): Promise<PaymentJson> {
  const event = failedEvent({ invoiceId, methods, at: await serviceNow(service) });
  await expectStatus(api.post('/recover/payments', event), 200);
  await expectStatus(api.post(`/recover/payments/${invoiceId}/retry`), 200);
  await advance(service, 'PT1S');
  return showPayment(api, invoiceId);
}

async function chargesOf(invoiceId: string) {
  const ledger = await readLedgerFile(service.dataDir);
  return ledger.filter((charge) => charge.invoice === invoiceId);
}

describe('an answer of the retry-status endpoint', () => {
  const detail = (text: string) => ({ detail: text });
  const postponing: readonly (readonly [name: string, answer: FakeAnswer, cause: string])[] = [
    ['401', { status: 401, body: detail('Missing or invalid api key') }, 'unauthorized'],
    ['500', { status: 500, body: detail('A server error has occurred') }, 'server_error'],
    ['503', { status: 503 }, 'server_error'],
    ['418', { status: 418 }, 'unexpected_status'],
    ['a_page', { status: 404, body: '<h1>Not found</h1>' }, 'unexpected_status'],
    ['a_wrong_address', { status: 404, body: detail('Not Found') }, 'unexpected_status'],
    ['redirect', { status: 302, headers: { location: '/retry/in_elsewhere' } }, 'redirect'],
    ['hang', { kind: 'hang' }, 'timeout'],
    ['drip', { kind: 'drip_body' }, 'timeout'],
    ['huge', { kind: 'huge', bytes: 1_000_000, chunked: true }, 'too_large'],
    ['text', { body: yes, headers: { 'content-type': 'text/html' } }, 'wrong_type'],
    ['half', { body: '{"retry":true,"reas' }, 'malformed'],
    ['truthy', { body: { retry: 'true', reason: 'x' } }, 'malformed'],
    ['no_reason', { body: { retry: true } }, 'malformed'],
    ['cut', { kind: 'cut', body: JSON.stringify(yes), sentBytes: 10 }, 'connection_failed'],
    ['destroy', { kind: 'destroy' }, 'connection_failed'],
  ];
  test.each(postponing)(
    'such as %s postpones the attempt by a minute',
    async (name, answer, cause) => {
      const invoiceId = `in_${name}`;
      lookupAnswers.set(invoiceId, answer);
      const payment = await retryNow(invoiceId);
      expect(payment).toMatchObject({
        status: 'scheduled',
        attempt_count: 0,
        attempts: [{ status: 'not_attempted', check: { cause }, transactions: [] }],
      });
      const ended = payment.attempts[0]?.ended_at ?? '';
      expect(Date.parse(payment.next_attempt_at ?? '') - Date.parse(ended)).toBe(minuteMs);
      expect(await chargesOf(invoiceId)).toEqual([]);
      expect(server.lookups.map((call) => call.invoiceId)).not.toContain('in_elsewhere');

      lookupAnswers.delete(invoiceId);
      await advance(service, 'PT2M');
      expect(await showPayment(api, invoiceId)).toMatchObject({ status: 'recovered' });
    },
  );

  test('with nulls for what is optional charges', async () => {
    const nulls = { amount: null, metadata: null, payment_methods: null };
    lookupAnswers.set('in_nulls', { body: { ...yes, ...nulls } });
    expect(await retryNow('in_nulls')).toMatchObject({ status: 'recovered' });
    expect(await chargesOf('in_nulls')).toHaveLength(1);
  });

  test('of 404 stops the payment with its words', async () => {
    const words = 'An invoice with the provided ID cannot be found';
    lookupAnswers.set('in_404', { status: 404, body: detail(words) });
    expect(await retryNow('in_404')).toMatchObject({
      status: 'stopped',
      stop_reason: 'invoice_not_found',
      stop_detail: words,
      attempts: [{ status: 'not_attempted' }],
    });
  });

  test.each([
    ['90', 90 * secondMs],
    [undefined, minuteMs],
    ['soon', minuteMs],
  ])('of 429 with a Retry-After of %s waits as long as it says', async (retryAfter, waitMs) => {
    const invoiceId = `in_429_${retryAfter}`;
    lookupAnswers.set(invoiceId, {
      status: 429,
      body: detail('Requests have exceeded rate limiting'),
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
    const { attempts, ...payment } = await retryNow(invoiceId);
    expect(payment.status).toBe('scheduled');
    const ended = Date.parse(attempts[0]?.ended_at ?? '');
    expect(Date.parse(payment.next_attempt_at ?? '') - ended).toBe(waitMs);
    lookupAnswers.delete(invoiceId);
  });

  test.each([
    'User Cancelation',
    'Dunning Window Reached',
    'User Recovered via Payment Method Update',
    'User Outstanding Invoice Forgiven',
  ])('of retry: false stops the payment with the reason %s', async (reason) => {
    const invoiceId = `in_no_${reason.length}`;
    lookupAnswers.set(invoiceId, { body: { retry: false, reason } });
    expect(await retryNow(invoiceId)).toMatchObject({
      status: 'stopped',
      stop_reason: 'merchant_declined_retry',
      stop_detail: reason,
      attempt_count: 0,
    });
    expect(await chargesOf(invoiceId)).toEqual([]);
  });

  test('that stays away is asked for after 1, 5, 30 minutes, 2 hours, then every 6', async () => {
    lookupAnswers.set('in_ladder', { status: 500, body: detail('A server error has occurred') });
    await retryNow('in_ladder');
    await advance(service, 'PT16H');
    const { attempts } = await showPayment(api, 'in_ladder');
    const waits = attempts.slice(1).map((attempt, index) => {
      const waitMs = Date.parse(attempt.started_at) - Date.parse(attempts[index]?.ended_at ?? '');
      return Math.floor(waitMs / minuteMs);
    });
    expect(waits).toEqual([1, 5, 30, 120, 360, 360]);
    lookupAnswers.delete('in_ladder');
    await advance(service, 'PT6H');
    const recovered = await showPayment(api, 'in_ladder');
    expect(recovered).toMatchObject({ status: 'recovered', attempt_count: 1 });
  });
});

describe('a yes of the retry-status endpoint', () => {
  test('with a lower amount has that much charged, and reported', async () => {
    lookupAnswers.set('in_lower', { body: { ...yes, amount: 10.5 } });
    expect(await retryNow('in_lower')).toMatchObject({ status: 'recovered', amount: 12.23 });
    expect(await chargesOf('in_lower')).toMatchObject([{ amount: 1050, status: 'succeeded' }]);
    const told = server.webhooks.map((call) => call.json as Record<string, unknown>);
    expect(told.find((event) => event.invoice_id === 'in_lower')).toMatchObject({
      original_amount: 12.23,
      amount_collected: 10.5,
      success: true,
    });
  });

  test.each([12.24, 0.001, 999_999_999])(
    'with an amount of %s has nothing charged',
    async (amount) => {
      const invoiceId = `in_amount_${amount}`;
      lookupAnswers.set(invoiceId, { body: { ...yes, amount } });
      expect(await retryNow(invoiceId)).toMatchObject({
        status: 'scheduled',
        attempts: [{ status: 'not_attempted', check: { refused: expect.any(String) } }],
      });
      expect(await chargesOf(invoiceId)).toEqual([]);
      lookupAnswers.delete(invoiceId);
    },
  );

  test('with methods, metadata, a token and an address has them used, and no code kept', async () => {
    const cardCode = '99887766554433';
    lookupAnswers.set('in_full', {
      body: {
        ...yes,
        metadata: { campaign: 'spring' },
        payment_methods: [
          { id: 'pm_sandbox_decline_51', bin: '424242' },
          {
            id: 'pm_sandbox_success',
            network_transaction_id: 'nt_first_success',
            token: {
              id: 'tok_1',
              expiration_month: '09',
              expiration_year: '2031',
              card_validation_number: cardCode,
            },
            billing_address: { name: 'Ada Example', city: 'Springfield', zip: '12345' },
          },
        ],
      },
    });
    const payment = await retryNow('in_full', ['pm_sandbox_decline_05']);
    expect(payment.attempts[0]?.transactions).toMatchObject([
      { payment_method_id: 'pm_sandbox_decline_51', status: 'declined' },
      { payment_method_id: 'pm_sandbox_success', status: 'succeeded' },
    ]);
    expect((await chargesOf('in_full'))[1]).toMatchObject({
      metadata: { campaign: 'spring' },
      previous_network_transaction_id: 'nt_first_success',
      token: { id: 'tok_1', expiration_month: '09', card_code_given: true },
      billing_address_fields: ['city', 'name', 'zip'],
    });
    const kept = await everythingKept();
    expect(kept).toContain('in_full');
    expect(kept).not.toContain(cardCode);
    expect(kept).not.toContain('Ada Example');
  });
});

/** Every row of every table, the PSP's ledger, and all that the service has printed. */
async function everythingKept(): Promise<string> {
  const client = new pg.Client({ connectionString: await connectionStringOf(service.dataDir) });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'pgboss')`,
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    const { stdout, stderr } = service.output();
    const ledger = JSON.stringify(await readLedgerFile(service.dataDir));
    return [...texts, ledger, stdout, stderr].join('\n');
  } finally {
    await client.end();
  }
}

describe('an answer of the webhook endpoint', () => {
  const failing: readonly (readonly [
    name: string,
    answer: FakeAnswer,
    status: number | undefined,
  ])[] = [
    ['500', { status: 500, body: { detail: 'Server is unavailable' } }, 500],
    ['201', { status: 201 }, 201],
    ['204', { status: 204, body: '' }, 204],
    ['301', { status: 301, headers: { location: '/webhooks/retry-results/new' } }, 301],
    ['400', { status: 400 }, 400],
    ['401', { status: 401 }, 401],
    ['404', { status: 404 }, 404],
    ['410', { status: 410 }, 410],
    ['429', { status: 429, headers: { 'retry-after': '1' } }, 429],
    ['hang', { kind: 'hang' }, undefined],
  ];
  test.each(failing)(
    'such as %s has the event sent again in 12 hours',
    async (name, answer, status) => {
      const invoiceId = `in_webhook_${name}`;
      webhookAnswers.set(invoiceId, answer);
      const [delivery] = (await retryNow(invoiceId)).deliveries;
      expect(delivery).toMatchObject({ status: 'pending', tries: 1 });
      expect(delivery?.last_status).toBe(status);
      expect(delivery?.last_error).toBeDefined();
      const now = await serviceNow(service);
      const waitMs = Date.parse(delivery?.next_attempt_at ?? '') - now.getTime();
      expect(waitMs).toBeGreaterThan(12 * hourMs - minuteMs);
      expect(waitMs).toBeLessThan(12 * hourMs);
      webhookAnswers.delete(invoiceId);
    },
  );

  test('of 200 is an acknowledgement, also after failures and whatever its body', async () => {
    webhookAnswers.set('in_webhook_500', {
      body: 'thanks',
      headers: { 'content-type': 'text/plain' },
    });
    await advance(service, 'PT12H');
    for (const [name] of failing) {
      const { deliveries } = await showPayment(api, `in_webhook_${name}`);
      expect(deliveries).toMatchObject([{ status: 'delivered', tries: 2, last_status: 200 }]);
    }
    const sent = server.webhooks.length;
    await advance(service, 'P1D');
    expect(server.webhooks).toHaveLength(sent);
    expect(await brokenPromises(service)).toEqual([]);
  });
});
