import { afterAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../src/domain/payment-event.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import type { FailedInvoice } from '../kits/psps/stripe/failed-invoice.ts';
import { retryOpenInvoices } from '../kits/psps/stripe/own-retries.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  type Caller,
  call,
  createMerchant,
  expectStatus,
  type OwnMerchant,
  recoveryApi,
  showPayment,
} from '../kits/service-calls.ts';

/** A debt that lives at Stripe, counted where the money is taken: in Stripe's own ledger. */
const services = useServices();
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((part) => part.close())));

interface World {
  readonly service: Service;
  readonly stripe: StripeServer;
  readonly merchant: OwnMerchant;
  readonly api: Caller;
  passDays(days: number): Promise<void>;
  /** Charges of this world's time that Stripe took the money for. */
  paid(): number;
}

interface Base {
  readonly service: Service;
  readonly stripe: StripeServer;
  readonly now: () => Date;
  passMs(durationMs: number): void;
}
let base: Base | undefined;

/** One service and one Stripe for all tests: each has a merchant of its own, and counts from its start. */
async function openBase(): Promise<Base> {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const stripe = await startStripeServer({ now });
  open.push(stripe);
  const service = await services.start({ env: { STRIPE_URL: stripe.url } });
  const passMs = (durationMs: number) => {
    aheadMs += durationMs;
  };
  return { service, stripe, now, passMs };
}

async function stripeWorld(): Promise<World> {
  base ??= await openBase();
  const { service, stripe, now, passMs } = base;
  const server: FakeMerchant = await startFakeMerchant({ now });
  open.push(server);
  const merchant = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
    policy: { kind: 'fixed', fixed_days: [1, 3], window_days: 14, max_attempts: 4 },
  });
  const succeeded = () => stripe.charges().filter((charge) => charge.succeeded).length;
  const before = succeeded();
  return {
    service,
    stripe,
    merchant,
    api: recoveryApi(service, merchant.apiKey),
    async passDays(days) {
      passMs(days * dayMs);
      await advance(service, `P${days}D`);
    },
    paid: () => succeeded() - before,
  };
}

/** The merchant's report of what Stripe failed to charge, with a card that would do by now. */
function reportOf(
  { invoice, charge }: FailedInvoice,
  invoiceId: string = invoice.id,
): PaymentEventBody {
  const event = failedEvent({
    invoiceId,
    customerId: 'cus_of_merchant',
    pspCustomerId: 'cus_1',
    methods: ['pm_success'],
    amount: 20,
    psp: 'stripe',
    at: new Date(Number(charge.created) * 1000),
  });
  const transactions = event.transactions.map((item) => ({
    ...item,
    psp_transaction_id: charge.id,
  }));
  return { ...event, transactions };
}

async function report(world: World, body: PaymentEventBody): Promise<string> {
  const answer = await expectStatus(world.api.post('/recover/payments', body), 200);
  return answer.request_id;
}

async function tell({ service, stripe, merchant }: World, { event }: FailedInvoice): Promise<void> {
  const { rawBody, headers } = stripe.signedWebhook(event);
  const answer = await call(
    `${service.disputesUrl}/v1/psp/stripe/webhooks/${merchant.merchantId}`,
    {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: new Uint8Array(rawBody),
    },
  );
  expect(answer.status).toBe(200);
}

describe('an invoice of Stripe’s that the merchant reports', () => {
  test('is paid there, and not beside it, though no webhook tells of it', async () => {
    const world = await stripeWorld();
    const { stripe } = world;
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    await report(world, reportOf(failed));
    await world.passDays(2);
    retryOpenInvoices(stripe.world);
    await world.passDays(4);
    retryOpenInvoices(stripe.world);
    expect(world.paid()).toBe(1);
    expect(failed.invoice).toMatchObject({ status: 'paid', amount_remaining: 0 });
    expect(await showPayment(world.api, failed.invoice.id)).toMatchObject({ status: 'recovered' });
  });

  test('is not charged once more where Stripe’s own try was first', async () => {
    const world = await stripeWorld();
    const { stripe } = world;
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    await report(world, reportOf(failed));
    retryOpenInvoices(stripe.world);
    await world.passDays(2);
    expect(world.paid()).toBe(1);
    expect((await showPayment(world.api, failed.invoice.id)).status).not.toBe('recovered');
  });
});

describe('one debt, reported by the merchant under its id and by Stripe under its own', () => {
  test.each([
    ['the merchant first', ['merchant', 'stripe']],
    ['Stripe first', ['stripe', 'merchant']],
    ['both at once', ['both']],
  ])('has one recovery: %s', async (_name, order) => {
    const world = await stripeWorld();
    const { stripe, merchant, api } = world;
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    const told = {
      merchant: async () => [await report(world, reportOf(failed, 'order-1'))],
      stripe: async () => [await tell(world, failed)],
      both: () => Promise.all([report(world, reportOf(failed, 'order-1')), tell(world, failed)]),
    };
    const requests: unknown[] = [];
    for (const channel of order) requests.push(...(await told[channel as keyof typeof told]()));
    await world.passDays(4);
    retryOpenInvoices(stripe.world);
    expect(world.paid()).toBe(1);
    expect(failed.invoice).toMatchObject({ status: 'paid' });
    const { payments } = await expectStatus(api.get('/recover/payments'), 200);
    expect(payments).toHaveLength(1);
    const byOwn = await showPayment(api, 'order-1');
    expect(byOwn).toMatchObject({ status: 'recovered', psp_invoice_id: failed.invoice.id });
    expect(await showPayment(api, failed.invoice.id)).toEqual(byOwn);
    expect(byOwn.joined_invoice_ids).toEqual(
      byOwn.invoice_id === 'order-1' ? [failed.invoice.id] : ['order-1'],
    );
    // The merchant is asked and told under the id that its server knows.
    expect(new Set(merchant.server.lookups.map((item) => item.invoiceId))).toEqual(
      new Set(['order-1']),
    );
    expect(merchant.server.webhooks).toMatchObject([
      { json: { invoice_id: 'order-1', customer_id: 'cus_of_merchant', success: true } },
    ]);
    const requestId = requests.find((id) => typeof id === 'string');
    const request = await expectStatus(api.get(`/recover/requests/${requestId}`), 200);
    expect(request.outcome).toEqual(
      byOwn.invoice_id === 'order-1'
        ? { invoice_id: 'order-1', result: 'recovery_started' }
        : {
            invoice_id: 'order-1',
            joined_invoice_id: failed.invoice.id,
            result: 'joined',
          },
    );
  });

  test('leaves a second invoice of that subscription, amount and day a debt of its own', async () => {
    const world = await stripeWorld();
    const { stripe, api } = world;
    const subscription = stripe.world.makeSubscription('cus_1').id;
    const failed = { methodId: 'pm_funds_later', subscription };
    const first = stripe.failedSubscriptionInvoice(failed);
    // Of the same period, and of no charge that Stripe knows.
    const told = reportOf(first, 'order-1');
    const transactions = told.transactions.map((item) => ({
      ...item,
      psp_transaction_id: 'charge-of-order-1',
    }));
    await report(world, {
      ...told,
      transactions,
      subscription: { ...told.subscription, id: subscription },
    });
    await tell(world, first);
    const second = stripe.failedSubscriptionInvoice(failed);
    await tell(world, second);
    const { payments } = await expectStatus(api.get('/recover/payments'), 200);
    expect(payments).toHaveLength(2);
    expect(await showPayment(api, first.invoice.id)).toMatchObject({ invoice_id: 'order-1' });
    await world.passDays(4);
    expect(world.paid()).toBe(2);
    for (const { invoice } of [first, second]) expect(invoice).toMatchObject({ status: 'paid' });
  });

  test('is stopped under either id', async () => {
    const world = await stripeWorld();
    const { stripe, api } = world;
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    await report(world, reportOf(failed, 'order-1'));
    await tell(world, failed);
    const path = `/recover/payments/${failed.invoice.id}/stop`;
    await expectStatus(api.post(path, { reason: 'forgiven' }), 200);
    await world.passDays(4);
    expect(world.paid()).toBe(0);
    expect(await showPayment(api, 'order-1')).toMatchObject({ status: 'stopped' });
  });
});
