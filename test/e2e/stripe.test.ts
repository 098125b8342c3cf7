import { afterAll, expect, test } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  type OwnMerchant,
  operatorApi,
  recoveryApi,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((part) => part.close())));

/** A merchant whose billing is Stripe's, and a Recoup that it is connected to. */
interface World {
  readonly service: Service;
  readonly stripe: StripeServer;
  readonly merchant: OwnMerchant;
  /** Moves the service's clock and Stripe's. */
  passDays(days: number): Promise<void>;
}

async function stripeWorld(): Promise<World> {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const stripe = await startStripeServer({ now });
  const server: FakeMerchant = await startFakeMerchant({ now });
  open.push(stripe, server);
  const service = await services.start({ env: { STRIPE_URL: stripe.url } });
  const merchant = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
    policy: { kind: 'fixed', fixed_days: [1, 3], window_days: 14, max_attempts: 4 },
  });
  return {
    service,
    stripe,
    merchant,
    async passDays(days) {
      aheadMs += days * dayMs;
      await advance(service, `P${days}D`);
    },
  };
}

/** An event as Stripe posts it; what Recoup answers. */
async function tell({ service, stripe, merchant }: World, event: unknown) {
  const { rawBody, headers } = stripe.signedWebhook(event);
  return call(`${service.disputesUrl}/v1/psp/stripe/webhooks/${merchant.merchantId}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: new Uint8Array(rawBody),
  });
}

test('a failed invoice that Stripe tells of is recovered, and paid at Stripe, with no other call', async () => {
  const world = await stripeWorld();
  const { service, stripe, merchant } = world;
  const { invoice, event } = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
  for (let time = 0; time < 2; time += 1) {
    expect((await tell(world, event)).status).toBe(200);
  }
  await world.passDays(2);
  const api = recoveryApi(service, merchant.apiKey);
  expect(await showPayment(api, invoice.id)).toMatchObject({
    status: 'recovered',
    amount: 20,
    currency: 'USD',
    attempt_count: 1,
  });
  expect(invoice).toMatchObject({ status: 'paid', amount_remaining: 0 });
  expect(stripe.charges().filter((charge) => charge.succeeded)).toHaveLength(1);
  expect(merchant.server.lookups.map((lookup) => lookup.invoiceId)).toEqual([invoice.id]);
  expect(merchant.server.webhooks).toMatchObject([
    { isSigned: true, json: { invoice_id: invoice.id, success: true, amount_collected: 20 } },
  ]);
});

test('a wrong key is refused when the account is connected, and nothing is kept of it', async () => {
  const world = await stripeWorld();
  const { service, stripe, merchant } = world;
  const path = `/api/merchants/${merchant.merchantId}/psps`;
  const operator = operatorApi(service);
  const refused = await operator.post(path, { psp: 'stripe', ...stripe.refusedCredentials });
  expect(refused.status).toBe(422);
  expect(refused.json.error.code).toBe('psp_credentials_refused');
  expect(refused.text).not.toContain(stripe.refusedCredentials.secret_key);
  const tested = await expectStatus(operator.post(`${path}/stripe/test`), 200);
  expect(tested).toMatchObject({ psp: 'stripe', result: 'accepted' });
});

test('an event with a bad signature, or for nobody, starts nothing', async () => {
  const world = await stripeWorld();
  const { service, stripe, merchant } = world;
  const { invoice, event } = stripe.failedSubscriptionInvoice();
  const { rawBody, headers } = stripe.signedWebhook(event, 'whsec_of_another');
  const post = (merchantId: string, psp = 'stripe') =>
    call(`${service.disputesUrl}/v1/psp/${psp}/webhooks/${merchantId}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(rawBody),
    });
  expect((await post(merchant.merchantId)).status).toBe(401);
  expect((await post('mer_nobody')).status).toBe(401);
  expect((await post(merchant.merchantId, 'adyen')).status).toBe(401);
  const api = recoveryApi(service, merchant.apiKey);
  expect((await api.get(`/recover/payments/${invoice.id}`)).status).toBe(404);
});
