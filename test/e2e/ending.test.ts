import { describe, expect, onTestFinished, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { findDatabase, killDatabase } from '../kits/data-dirs.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { readLedgerFile } from '../kits/ledger-file.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  brokenPromises,
  type Caller,
  createMerchant,
  expectStatus,
  operatorApi,
  recoveryApi,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
/** An end takes a second. A lease takes one or two minutes: nothing here may wait for one. */
const quickMs = 55_000;

/** A merchant with a server of the test. */
async function ownMerchant(service: Service) {
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  return createMerchant(service, server);
}

/** Reports failed payments and asks for their retry at once. */
async function submitDue(api: Caller, invoiceIds: readonly string[]): Promise<void> {
  await Promise.all(
    invoiceIds.map(async (invoiceId) => {
      const event = failedEvent({ invoiceId, methods: cardsOf(invoiceId), at: new Date() });
      await expectStatus(api.post('/recover/payments', event), 200);
      await expectStatus(api.post(`/recover/payments/${invoiceId}/retry`), 200);
    }),
  );
}

describe('kill -9', () => {
  test('leaves a database that the next start goes on with', async () => {
    const killed = await services.start();
    const { dataDir } = killed;
    const api = recoveryApi(killed);
    await expectStatus(api.post('/recover/payments', failedEvent({ at: new Date() })), 200);
    const left = await findDatabase(dataDir);
    await killed.kill();
    expect(left).toBeDefined();
    expect(await findDatabase(dataDir)).toBe(left);

    const next = await services.start({ dataDir });
    expect(await findDatabase(dataDir)).toBe(left);
    await advance(next, 'P4D');
    expect(await showPayment(recoveryApi(next), 'in_1')).toMatchObject({ status: 'recovered' });

    // Its database too, so that only its dead postmaster.pid is left.
    await next.kill();
    await killDatabase(dataDir);
    const last = await services.start({ dataDir });
    expect(await findDatabase(dataDir)).not.toBe(left);
    expect(await showPayment(recoveryApi(last), 'in_1')).toMatchObject({ status: 'recovered' });
    expect(await brokenPromises(last)).toEqual([]);
    expect(await last.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(await findDatabase(dataDir)).toBeUndefined();
  });
});

describe('kill -9 with work under way', () => {
  test('leaves work that the next start takes up at once', async () => {
    const killed = await services.start();
    const { dataDir } = killed;
    const { server, apiKey } = await ownMerchant(killed);
    server.answerLookups({ kind: 'hang' });
    const invoiceIds = ['in_1', 'in_2', 'in_3'];
    await submitDue(recoveryApi(killed, apiKey), invoiceIds);
    for (const _ of invoiceIds) await server.nextLookup();
    await killed.kill();
    server.answerLookups({ body: { retry: true, reason: 'Invoice open' } });

    const next = await services.start({ dataDir });
    const startedAt = performance.now();
    for (const _ of invoiceIds) await server.nextWebhook();
    expect(performance.now() - startedAt).toBeLessThan(quickMs);
    const api = recoveryApi(next, apiKey);
    for (const id of invoiceIds) {
      // The same attempt went on, with a check of its own.
      expect(await showPayment(api, id)).toMatchObject({ status: 'recovered', attempt_count: 1 });
    }
    expect(await readLedgerFile(dataDir)).toHaveLength(3);
    expect(await brokenPromises(next)).toEqual([]);
    await next.stop();
  });
});

describe('SIGTERM during the start', () => {
  test.each([
    ['while the schema is made', /The embedded database runs/],
    ['after it', /the database was migrated/],
  ])('%s ends what had started, the database with it', async (_, at) => {
    const dataDir = await services.dataDir();
    const env = { LOG_LEVEL: 'info' };
    const exit = await services.cutShort(at, { dataDir, env });
    expect(exit).toMatchObject({ code: 0, stdout: '' });
    expect(await findDatabase(dataDir)).toBeUndefined();
    // Log lines alone: a start that was cut short has not failed.
    expect(
      exit.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).level),
    ).not.toContain(50);
    const next = await services.start({ dataDir });
    expect(await next.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('SIGTERM', () => {
  test('ends what is under way, takes nothing more, and exits at once', async () => {
    const service = await services.start();
    const { dataDir } = service;
    const { server, apiKey } = await ownMerchant(service);
    server.answerLookups({ body: { retry: true, reason: 'Invoice open' }, delayMs: 300 });
    server.answerWebhooks({ body: {}, delayMs: 300 });
    const invoiceIds = Array.from({ length: 40 }, (_, index) => `in_${index + 1}`);
    await submitDue(recoveryApi(service, apiKey), invoiceIds);
    await server.nextLookup();
    const askedAt = performance.now();
    const ended = await service.stop();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - askedAt).toBeLessThan(quickMs);
    expect(await findDatabase(dataDir)).toBeUndefined();
    // Each call that was answered led to its charge.
    expect((await readLedgerFile(dataDir)).length).toBe(server.lookups.length);

    const next = await services.start({ dataDir });
    const api = recoveryApi(next, apiKey);
    await advance(next, 'PT1M');
    const payments = await Promise.all(invoiceIds.map((id) => showPayment(api, id)));
    expect(new Set(payments.map((payment) => payment.status))).toEqual(new Set(['recovered']));
    // No attempt was broken off: each invoice has one, with one charge.
    expect(new Set(payments.map((payment) => payment.attempts.length))).toEqual(new Set([1]));
    const ledger = await readLedgerFile(dataDir);
    expect(ledger.map((charge) => charge.invoice).sort()).toEqual([...invoiceIds].sort());
    expect(new Set(server.webhooks.map((webhook) => webhook.deduplicationId)).size).toBe(40);
    expect(server.webhooks).toHaveLength(40);
    expect(await brokenPromises(next)).toEqual([]);
  });

  test('does not wait for a merchant that hangs longer than for its time-out', async () => {
    const service = await services.start({ env: { MERCHANT_TIMEOUT: '2s' } });
    const { server, apiKey } = await ownMerchant(service);
    server.answerLookups({ kind: 'hang' });
    await submitDue(recoveryApi(service, apiKey), ['in_1']);
    await server.nextLookup();
    const askedAt = performance.now();
    expect(await service.stop()).toMatchObject({ code: 0 });
    expect(performance.now() - askedAt).toBeLessThan(quickMs);
  });

  test('ends an advance of the clock that is under way, where it is', async () => {
    const service = await services.start();
    const { server, apiKey } = await ownMerchant(service);
    server.answerLookups({ body: { retry: true, reason: 'Invoice open' }, delayMs: 1_000 });
    const api = recoveryApi(service, apiKey);
    await expectStatus(api.post('/recover/payments', failedEvent({ at: new Date() })), 200);
    const moving = operatorApi(service).post('/api/sandbox/clock', { advance: 'P28D' });
    await server.nextLookup();
    const askedAt = performance.now();
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - askedAt).toBeLessThan(quickMs);
    expect((await moving).text).toMatch(/conflict.*time was not moved/);
  });
});
