import { expect, onTestFinished, test } from 'vitest';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { createTestDatabase } from '../../kits/database.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { queryOnce } from '../../kits/query-once.ts';
import { useServices } from '../../kits/service.ts';
import { createMerchant, expectStatus, recoveryApi } from '../../kits/service-calls.ts';

const services = useServices();

/** Settings of a process on a database of its own server. */
async function onServer() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return {
    DATABASE_URL: database.connectionString,
    ENCRYPTION_KEY: '07'.repeat(32),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    LOG_LEVEL: 'info',
  };
}

async function ask(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers });
  return { status: response.status, text: await response.text() };
}

test.each(['api', 'worker', 'operator'])(
  'the role %s alone is probed and measured',
  async (role) => {
    const { probeUrl, stop } = await services.start({
      env: { ...(await onServer()), ROLES: role },
    });
    expect(await ask(`${probeUrl}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect(await ask(`${probeUrl}/readyz`)).toEqual({ status: 200, text: '{"status":"ready"}' });
    const metrics = await ask(`${probeUrl}/metrics`);
    expect(metrics.text).toMatch(/^recoup_work_held_back\{code="clock_differs"\} 0$/m);
    expect(await ask(`${probeUrl}/api/merchants`)).toMatchObject({ status: 404 });
    await expect(stop()).resolves.toMatchObject({ code: 0 });
  },
);

test('a process that ends is not ready, still serves, and goes at a second signal', async () => {
  const env = { ...(await onServer()), ROLES: 'api', DRAIN_DELAY: '10m', DRAIN_TIME: '10m' };
  const service = await services.start({ env });
  process.kill(service.pid, 'SIGTERM');
  await service.printed(/this process ends/);
  const ready = await ask(`${service.probeUrl}/readyz`);
  expect(ready.status).toBe(503);
  expect(ready.text).toContain('service_ending');
  expect(await ask(`${service.recoveryUrl}/recover/payments`)).toMatchObject({ status: 403 });
  expect(await service.stop()).toMatchObject({ code: 0 });
});

test('an end leaves no lease behind', async () => {
  const settings = await onServer();
  const env = { ...settings, SANDBOX: 'true' };
  const service = await services.start({ env });
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  const { apiKey } = await createMerchant(service, server);
  server.answerLookups({ body: { retry: true, reason: 'Invoice open' }, delayMs: 300 });
  const api = recoveryApi(service, apiKey);
  const event = failedEvent({ invoiceId: 'in_1', methods: cardsOf('in_1'), at: new Date() });
  await expectStatus(api.post('/recover/payments', event), 200);
  await expectStatus(api.post('/recover/payments/in_1/retry'), 200);
  await server.nextLookup();
  expect(await service.stop()).toMatchObject({ code: 0 });
  const leases = ['payments', 'psp_transactions', 'deliveries', 'requests'].map(
    (table) => `select count(*)::int as leased from ${table} where lease_until is not null`,
  );
  const counts = await Promise.all(leases.map((text) => queryOnce(settings.DATABASE_URL, text)));
  expect(counts.flat()).toEqual(leases.map(() => ({ leased: 0 })));
});

test('what does not end in the drain time is left', async () => {
  const times = { MERCHANT_TIMEOUT: '10m', ATTEMPT_LEASE: '20m', DRAIN_TIME: '1s' };
  const service = await services.start({
    env: { ...(await onServer()), SANDBOX: 'true', ...times },
  });
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  const { apiKey } = await createMerchant(service, server);
  server.answerLookups({ kind: 'hang' });
  const api = recoveryApi(service, apiKey);
  const event = failedEvent({ invoiceId: 'in_1', methods: cardsOf('in_1'), at: new Date() });
  await expectStatus(api.post('/recover/payments', event), 200);
  await expectStatus(api.post('/recover/payments/in_1/retry'), 200);
  await server.nextLookup();
  const ended = await service.stop();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('Some work in progress did not end within DRAIN_TIME (1000ms).');
});
