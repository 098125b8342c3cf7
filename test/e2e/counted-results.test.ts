import { afterAll, expect, test } from 'vitest';
import { failedEvent } from '../kits/billing-events.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { useServices } from '../kits/service.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  listDeliveries,
  recoveryApi,
  serviceNow,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const servers: FakeMerchant[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const methods = {
  inv_success: 'pm_sandbox_success--1',
  inv_second: 'pm_sandbox_success_after_2--2',
  inv_lost: 'pm_sandbox_lost_success--3',
  inv_declined: 'pm_sandbox_decline_51--4',
} as const;

test('attempts and sends of webhooks are counted by their results, as the payments and deliveries show them', async () => {
  const service = await services.start();
  const server = await startFakeMerchant();
  servers.push(server);
  const merchant = await createMerchant(service, server);
  const api = recoveryApi(service, merchant.apiKey);
  const at = await serviceNow(service);
  for (const [invoiceId, method] of Object.entries(methods)) {
    const event = failedEvent({ invoiceId, methods: [method], at });
    await expectStatus(api.post('/recover/payments', event), 200);
  }
  server.answerWebhooks({ status: 500 });
  await advance(service, 'P1DT1H');
  server.answerWebhooks({ status: 200 });
  await advance(service, 'P8D');

  const payments = await Promise.all(Object.keys(methods).map((id) => showPayment(api, id)));
  const ended = payments.flatMap(({ attempts }) => attempts.map(({ status }) => status));
  const attempts = await countsOf(service, 'recoup_attempts_total');
  expect(attempts).toEqual({
    succeeded: ended.filter((status) => status === 'succeeded').length,
    declined: ended.filter((status) => status === 'declined').length,
    unknown: 1,
    not_attempted: 0,
  });
  expect(ended).toHaveLength(8);
  const deliveries = await listDeliveries(service, merchant.merchantId);
  const sends = deliveries.reduce((sum, { tries }) => sum + tries, 0);
  const counted = await countsOf(service, 'recoup_deliveries_total');
  expect(counted.delivered).toBe(deliveries.length);
  expect(counted.failed).toBe(sends - deliveries.length);
  expect(counted.failed).toBeGreaterThanOrEqual(4);
});

/** A counter's samples by their result. */
async function countsOf(
  { operatorUrl }: { readonly operatorUrl: string },
  name: string,
): Promise<Readonly<Record<string, number>>> {
  const { text } = await call(`${operatorUrl}/metrics`);
  const samples = text.matchAll(new RegExp(`^${name}\\{result="(\\w+)"\\} (\\d+)$`, 'gm'));
  return Object.fromEntries([...samples].map(([, result, value]) => [result, Number(value)]));
}
