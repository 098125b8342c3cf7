import { afterAll, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/domain/clock.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { startStripeServer } from '../kits/psps/stripe-server.ts';
import { useServices } from '../kits/service.ts';
import {
  advance,
  brokenPromises,
  createMerchant,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((part) => part.close())));

/** Two accounts at Stripe, and a merchant that is connected to the first. */
async function twoAccounts() {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const stripe = await startStripeServer({ now });
  const server = await startFakeMerchant({ now });
  open.push(stripe, server);
  const service = await services.start({ env: { STRIPE_URL: stripe.url } });
  const merchant = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
    policy: { kind: 'fixed', fixed_days: [1, 3], window_days: 14, max_attempts: 4 },
  });
  const passMs = async (ms: number) => {
    aheadMs += ms;
    await advance(service, `PT${ms / 1_000}S`);
  };
  return { stripe, server, service, merchant, passMs, other: stripe.openAccount('acct_2') };
}

test('a charge whose answer was lost is looked up at the account that it went through', async () => {
  const { stripe, server, service, merchant, passMs, other } = await twoAccounts();
  const api = recoveryApi(service, merchant.apiKey);
  const failed = failedEvent({
    psp: 'stripe',
    invoiceId: 'INV-17',
    pspCustomerId: 'cus_1',
    methods: ['pm_lost_success'],
    at: await serviceNow(service),
  });
  await expectStatus(api.post('/recover/payments', failed), 200);
  await passMs(dayMs);
  const paid = () => stripe.charges().filter((charge) => charge.succeeded);
  expect(paid()).toHaveLength(1);

  const operator = operatorApi(service);
  const path = `/api/merchants/${merchant.merchantId}/psps`;
  const body = { psp: 'stripe', ...other.credentials };
  const replaced = await expectStatus(operator.post(path, body), 200);
  await passMs(4 * dayMs);
  const charges = { first: paid().length, second: other.charges().length };
  expect(charges).toEqual({ first: 1, second: 0 });
  expect(replaced).toMatchObject({
    account: expect.stringContaining('acct_2'),
    version: 2,
    retired: { version: 1, open: { count: 1, amounts: [{ amount: 12.23, currency: 'USD' }] } },
  });
  expect(await showPayment(api, 'INV-17')).toMatchObject({ status: 'recovered' });
  expect(server.webhooks).toMatchObject([{ json: { success: true, invoice_id: 'INV-17' } }]);
  expect(await brokenPromises(service)).toEqual([]);
  await passMs(hourMs);
  const accounts = await expectStatus(operator.get(path), 200);
  expect(accounts.items).toMatchObject([
    { version: 1, state: 'retired', credentials_destroyed_at: expect.any(String) },
    { version: 2, state: 'active', account: 'acct_2', mode: 'test' },
  ]);
});
