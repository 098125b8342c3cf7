import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { newKeyText } from '../../src/domain/key-text.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { createTestDatabase } from '../kits/database.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { startStripeServer } from '../kits/psps/stripe-server.ts';
import { queryOnce } from '../kits/query-once.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  brokenPromises,
  call,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
} from '../kits/service-calls.ts';
import { startTwoCells } from '../kits/two-cells.ts';
import { callEverything } from '../store/wall/call-everything.ts';

const services = useServices();

/** Two cells, each with a database of its own, and a merchant in the first that has used all there is. */
async function world() {
  const databases = [await createTestDatabase(), await createTestDatabase()] as const;
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const stripe = await startStripeServer({ now });
  const server = await startFakeMerchant({ now });
  onTestFinished(async () => {
    await Promise.all([stripe.close(), server.close()]);
    await Promise.all(databases.map((database) => database.drop()));
  });
  const [one, two] = databases.map(({ connectionString }) => connectionString) as [string, string];
  const cells = await startTwoCells(services, [one, two], { STRIPE_URL: stripe.url });
  const pass = (durationMs: number) => {
    aheadMs += durationMs;
  };
  const [first, second] = cells.services;
  await callEverything({ service: first, stripe, server, pass }, new Set());
  const ask = (text: string) => queryOnce(one, text.replaceAll('$cell', 'cell_1'));
  const askThere = (text: string) => queryOnce(two, text.replaceAll('$cell', 'cell_2'));
  const [clock] = await ask('select offset_ms from $cell.sandbox_clock');
  await askThere(`update $cell.sandbox_clock set offset_ms = ${clock?.offset_ms}`);
  // The other service looks every five seconds where its clock stands.
  const clockThere = async () => (await operatorApi(second).get('/api/sandbox/clock')).json;
  await expect.poll(clockThere).toMatchObject({ offset_ms: Number(clock?.offset_ms) });
  const [merchant] = await ask(
    `select merchant_id from $cell.psp_connections where psp = 'stripe'`,
  );
  return { cells, stripe, merchantId: String(merchant?.merchant_id), ask, askThere };
}

/** As if its customers had never been written to: who was is not moved. */
async function withoutMessages(ask: (text: string) => Promise<unknown>): Promise<void> {
  await ask('update $cell.merchants set customer_page_url = null, messages_on = false');
  for (const table of ['customer_messages', 'customer_addresses', 'message_suppressions']) {
    await ask(`delete from $cell.${table}`);
  }
}

async function issue(service: Service, merchantId: string, kind: string) {
  const path = `/api/merchants/${merchantId}/credentials`;
  const issued = await expectStatus(operatorApi(service).post(path, { kind }), 201);
  return { id: issued.id as string, text: issued.text as string };
}

test('keys, passwords and addresses of before hold, and lead to the other cell', {
  timeout: 600_000,
}, async () => {
  const { cells, stripe, merchantId, ask, askThere } = await world();
  const [first, second] = cells.services;
  const key = await issue(first, merchantId, 'recovery_api_key');
  const password = await issue(first, merchantId, 'disputes_password');
  const basic = { authorization: `Basic ${btoa(`${merchantId}:${password.text}`)}` };
  const read = (service: Service) => recoveryApi(service, key.text);
  const ping = (service: Service) => call(`${service.disputesUrl}/`, { headers: basic });
  const webhook = async (service: Service) => {
    const { event } = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    const { rawBody, headers } = stripe.signedWebhook(event);
    return call(`${service.disputesUrl}/v1/psp/stripe/webhooks/${merchantId}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(rawBody),
    });
  };
  const seen = async (service: Service) => ({
    payments: (await read(service).get('/recover/payments')).json,
    statements: (await read(service).get('/recover/statements')).json,
    events: (await read(service).get('/recover/events')).json,
    disputes: (await call(`${service.disputesUrl}/v1/disputes`, { headers: basic })).json,
  });
  const before = await seen(first);
  expect(before.disputes.items.length).toBeGreaterThan(0);

  const refused = await cells.move(merchantId);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('written to')]);
  await withoutMessages(ask);

  await cells.move(merchantId, { killAt: /Closed/ });
  for (const answer of [
    await read(first).get('/recover/payments'),
    await ping(first),
    await webhook(first),
  ]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  }
  const moved = await cells.move(merchantId);
  expect([moved.code, moved.stderr]).toEqual([0, moved.stderr]);

  const asBefore = async () => {
    for (const service of cells.services) {
      expect(await seen(service)).toEqual(before);
      expect((await ping(service)).status).toBe(200);
    }
  };
  await expect.poll(async () => (await ping(first)).status).toBe(200);
  await asBefore();
  const cleared = await cells.move(merchantId, { args: ['--clear'] });
  expect([cleared.code, cleared.stderr]).toEqual([0, '']);
  await asBefore();
  const stranger = newKeyText({ bytes: (count) => randomBytes(count) }, 'rk_test', 'cell_1');
  for (const service of cells.services) {
    const answer = await recoveryApi(service, stranger).get('/recover/payments');
    expect(answer.status).toBe(403);
  }

  // What is brought by the old ways is taken by the other cell.
  const body = failedEvent({ invoiceId: 'in_after', at: await serviceNow(second) });
  const taken = await expectStatus(read(first).post('/recover/payments', body), 200);
  expect(
    await expectStatus(read(second).get(`/recover/requests/${taken.request_id}`), 200),
  ).toMatchObject({ request_id: taken.request_id });
  expect((await webhook(first)).status).toBe(200);
  const invalid = await read(first).post('/recover/payments', {});
  expect([invalid.status, invalid.json.message]).toEqual([400, 'Invalid request body']);

  // A new key names the new cell; one that is revoked there is no key anywhere.
  const next = await issue(second, merchantId, 'recovery_api_key');
  expect(next.text).toMatch(/^rk_test_cell_2_/);
  expect((await recoveryApi(second, next.text).get('/recover/payments')).status).toBe(200);
  const revoked = await call(
    `${second.operatorUrl}/api/merchants/${merchantId}/credentials/${key.id}`,
    { method: 'DELETE', headers: { authorization: `Bearer ${second.operatorToken}` } },
  );
  expect(revoked.status).toBeLessThan(300);
  await expect.poll(async () => (await read(first).get('/recover/payments')).status).toBe(403);

  expect((await operatorApi(first).get(`/api/merchants/${merchantId}`)).status).toBe(404);
  expect(await brokenPromises(first)).toEqual([]);
  expect(await brokenPromises(second)).toEqual([]);
  const lines = (at: typeof ask, merchant: string) =>
    at(`select action from $cell.audit_log where merchant_id = '${merchant}'
        and (action like 'merchant.move%' or action = 'merchant.cleared') order by line`);
  const actions = (...all: string[]) => all.map((action) => ({ action: `merchant.${action}` }));
  expect(await lines(ask, merchantId)).toEqual(actions('move_begun'));
  expect(await lines(ask, '*')).toEqual(actions('moved', 'cleared'));
  expect(await lines(askThere, merchantId)).toEqual(actions('move_begun', 'moved_here'));
});
