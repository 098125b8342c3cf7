import { expect, onTestFinished, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { createTestDatabase } from '../kits/database.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { startRelay } from '../kits/relay.ts';
import { useServices } from '../kits/service.ts';
import {
  brokenPromises,
  createMerchant,
  expectStatus,
  recoveryApi,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();

test('the service goes on by the other host when the first one is gone', async () => {
  const made = await createTestDatabase();
  onTestFinished(() => made.drop());
  // Two ways to one database: what a standby has that replicated all of it.
  const [first, second] = [
    await startRelay(made.connectionString),
    await startRelay(made.connectionString),
  ];
  onTestFinished(() => Promise.all([first.cut(), second.cut()]).then(() => undefined));
  const [url, other] = [new URL(first.connectionString), new URL(second.connectionString)];
  const service = await services.start({
    env: {
      DATABASE_URL: first.connectionString.replace(url.host, `${url.host},${other.host}`),
      ENCRYPTION_KEY: '07'.repeat(32),
      OPERATOR_TOKEN: 'operator-token-of-the-test',
      SANDBOX: 'true',
      LOG_LEVEL: 'silent',
    },
  });
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  const { apiKey } = await createMerchant(service, server);
  server.answerLookups({ body: { retry: true, reason: 'Invoice open' } });
  const api = recoveryApi(service, apiKey);
  const submit = (invoiceId: string) =>
    api.post(
      '/recover/payments',
      failedEvent({ invoiceId, methods: cardsOf(invoiceId), at: new Date() }),
    );
  await expectStatus(submit('in_1'), 200);

  await first.cut();
  await expect.poll(async () => (await submit('in_2')).status, { timeout: 60_000 }).toBe(200);
  await expect
    .poll(async () => (await fetch(`${service.probeUrl}/readyz`)).status, { timeout: 60_000 })
    .toBe(200);
  for (const id of ['in_1', 'in_2']) {
    await expect
      .poll(async () => (await api.post(`/recover/payments/${id}/retry`)).status, {
        timeout: 60_000,
      })
      .toBe(200);
  }
  await expect
    .poll(
      async () => {
        const shown = await Promise.all(['in_1', 'in_2'].map((id) => showPayment(api, id)));
        return shown.map(({ status, attempts }) => [status, attempts.length]);
      },
      { timeout: 60_000 },
    )
    .toEqual([
      ['recovered', 1],
      ['recovered', 1],
    ]);
  expect(await brokenPromises(service)).toEqual([]);
  await service.stop();
});
