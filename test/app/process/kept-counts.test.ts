import { expect, onTestFinished, test } from 'vitest';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { changeSchema } from '../../kits/change-schema.ts';
import { createTestDatabase } from '../../kits/database.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { queryOnce } from '../../kits/query-once.ts';
import { useServices } from '../../kits/service.ts';
import { createMerchant, expectStatus, recoveryApi } from '../../kits/service-calls.ts';
import { startTcpGate } from '../../kits/tcp-gate.ts';

const services = useServices();

const withoutWorkerEnv = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: '07'.repeat(32),
  OPERATOR_TOKEN: 'operator-token-of-the-test',
  ROLES: 'api,operator',
  SANDBOX: 'true',
});

/** A service without a worker, on a database of its own. */
async function withoutWorker() {
  const { connectionString, drop } = await createTestDatabase();
  onTestFinished(drop);
  const service = await services.start({ env: withoutWorkerEnv(connectionString) });
  const value = async (series: string) => {
    const text = await (await fetch(`${service.probeUrl}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  };
  return { service, connectionString, value };
}

test('a process that does no work tells what waits for one that does, and what is broken', async () => {
  const { service, connectionString, value } = await withoutWorker();
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  const { apiKey, merchantId } = await createMerchant(service, server);
  expect(await value('recoup_longest_wait_seconds{queue="requests"}')).toBe(0);
  expect(await value('recoup_invariant_breaches{invariant="successes_agree"}')).toBe(0);
  const event = failedEvent({ invoiceId: 'in_1', methods: cardsOf('in_1'), at: new Date() });
  const api = recoveryApi(service, apiKey);
  await expectStatus(api.post('/recover/payments', event), 200);
  await expect
    .poll(() => value('recoup_longest_wait_seconds{queue="requests"}'))
    .toBeGreaterThan(0);
  await queryOnce(
    connectionString,
    `insert into control_differences (merchant_id, day, psp, connection_version, currency, found_at)
     values ('${merchantId}', '2026-01-01', 'sandbox', 1, 'USD', now())`,
  );
  expect(await value('recoup_invariant_breaches{invariant="successes_agree"}')).toBe(1);
  await queryOnce(connectionString, 'delete from control_differences');
  expect(await value('recoup_invariant_breaches{invariant="successes_agree"}')).toBe(0);
});

test('what the database cannot tell leaves the other figures', async () => {
  const { connectionString, value } = await withoutWorker();
  await changeSchema(connectionString, 'alter table control_differences rename to elsewhere');
  expect(await value('recoup_deliveries_total{result="exhausted"}')).toBe(0);
});

test('a database that falls silent leaves readiness and the other figures answered in time', async () => {
  const { connectionString, drop } = await createTestDatabase();
  onTestFinished(drop);
  const url = new URL(connectionString);
  const gate = await startTcpGate({ host: url.hostname, port: Number(url.port) });
  onTestFinished(() => gate.close());
  url.host = `127.0.0.1:${gate.port}`;
  const service = await services.start({ env: withoutWorkerEnv(url.href) });
  const timed = async (path: string) => {
    const startedMs = performance.now();
    const answer = await fetch(`${service.probeUrl}${path}`);
    const text = await answer.text();
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    return { status: answer.status, text };
  };
  expect(await timed('/readyz')).toMatchObject({ status: 200 });
  gate.silence();
  const [ready, metrics] = await Promise.all([timed('/readyz'), timed('/metrics')]);
  expect(ready.status).toBe(503);
  expect(JSON.parse(ready.text)).toMatchObject({ code: 'database_unreachable' });
  expect(metrics.status).toBe(200);
  expect(metrics.text).toContain('recoup_deliveries_total{result="exhausted"} 0');
  await service.kill();
});
