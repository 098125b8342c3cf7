import { describe, expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../../src/domain/clock.ts';
import { createStripeAdapter } from '../../../../src/psp/stripe/adapter.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import type { FailedInvoice } from '../../../kits/psps/stripe/failed-invoice.ts';
import type { StripeObject } from '../../../kits/psps/stripe/objects.ts';
import { type StripeServer, startStripeServer } from '../../../kits/psps/stripe-server.ts';
import { reconciliationModule } from '../../../kits/reconciliation-module.ts';
import { pspTimeoutMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const since = addMs(worldStart, -dayMs);

async function stripeWorld() {
  const world = await engineWorld({
    psps: ['stripe'],
    policy: { windowDays: 14, fixedDays: [1, 3, 5, 7], maxAttempts: 6 },
  });
  const stripe = await startStripeServer({ now: () => world.clock.now() });
  const { url: baseUrl, credentials } = stripe;
  const adapter = createStripeAdapter({ baseUrl, deadlineMs: pspTimeoutMs, clock: world.clock });
  onTestFinished(() => Promise.all([adapter.close(), stripe.close()]).then(() => undefined));
  const gateway = adapter.connect(credentials);
  const compared = await reconciliationModule(world, 'stripe', gateway);
  return { world, stripe, gateway, ...compared };
}

function report(world: EngineWorld, invoiceId: string, method = 'pm_success', of?: FailedInvoice) {
  const event = failedEvent({
    invoiceId,
    customerId: 'cus_of_merchant',
    pspCustomerId: 'cus_1',
    methods: [method],
    amount: 20,
    psp: 'stripe',
    at: world.clock.now(),
  });
  const transactions = event.transactions.map((item) =>
    of === undefined ? item : { ...item, psp_transaction_id: of.charge.id },
  );
  return world.submit({ ...event, transactions });
}

/** The charge that went through for an invoice of the merchant's own. */
function chargeOf(stripe: StripeServer, invoiceId: string): StripeObject {
  const found = stripe.world
    .all('charge')
    .find(({ metadata }) => (metadata as Record<string, string>).recoup_invoice_id === invoiceId);
  if (found === undefined) throw new Error(`no charge of ${invoiceId}`);
  return found;
}

/** Money that goes to an invoice there, and that nobody here knows of. */
function payBehindOurBack(stripe: StripeServer, invoice: StripeObject): void {
  const { amount_due: amount, currency } = invoice;
  const intent = stripe.world.makeIntent({
    amount: Number(amount),
    currency: String(currency),
    customer: 'cus_1',
    methodId: 'pm_success',
    metadata: {},
  });
  stripe.world.attach(invoice, intent);
  stripe.world.charge(intent, 'pm_success', 'of the dashboard');
}

describe('a comparison with Stripe’s list', () => {
  it('finds nothing where both agree', async () => {
    const { world, stripe, worker, reconcile, findings } = await stripeWorld();
    for (const id of ['order-a', 'order-b']) await report(world, id);
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    await report(world, failed.invoice.id, 'pm_success', failed);
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    world.clock.passMs(2 * hourMs);
    expect(await reconcile({ since })).toMatchObject([
      { state: 'done', source: 'api', listed: 4, findings: 0 },
    ]);
    expect(await findings()).toEqual([]);
  });

  it('finds what is missing here and there, another amount and another state', async () => {
    const { world, stripe, gateway, worker, reconcile, findings } = await stripeWorld();
    const debts = ['order-amount', 'order-gone', 'order-right', 'order-state'];
    for (const id of debts) await report(world, id);
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    expect(stripe.charges().filter(({ succeeded }) => succeeded)).toHaveLength(4);
    await gateway.charge({
      merchantId: world.merchantId,
      invoiceId: 'order-unknown',
      idempotencyKey: `rcp_${'7'.repeat(30)}`,
      amountMinor: 2_000,
      currency: 'USD',
      paymentMethodId: 'pm_success',
    });
    chargeOf(stripe, 'order-amount').amount = 1_900;
    Object.assign(chargeOf(stripe, 'order-state'), { status: 'failed', paid: false });
    stripe.world.objects.delete(chargeOf(stripe, 'order-gone').id);
    world.clock.passMs(2 * hourMs);
    const expected = [
      { kind: 'amount_differs', invoiceId: 'order-amount', ours: 'succeeded', theirs: 'succeeded' },
      { kind: 'missing_at_psp', invoiceId: 'order-gone', ours: 'succeeded', theirs: 'none' },
      { kind: 'missing_here', invoiceId: undefined, ours: undefined, theirs: 'succeeded' },
      { kind: 'state_differs', invoiceId: 'order-state', ours: 'succeeded', theirs: 'declined' },
    ];
    expect(await reconcile({ since })).toMatchObject([{ state: 'done', findings: 4 }]);
    expect(await findings()).toEqual(expected);
    await reconcile({ since });
    expect(await findings()).toEqual(expected);
  });

  it('finds a second success of a debt, though Stripe’s charges name no invoice', async () => {
    const { world, stripe, worker, reconcile, findings } = await stripeWorld();
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    await report(world, 'order-1', 'pm_success', failed);
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    expect(await world.payment('order-1')).toMatchObject({ status: 'recovered' });
    payBehindOurBack(stripe, failed.invoice);
    world.clock.passMs(2 * hourMs);
    expect(await reconcile({ since })).toMatchObject([{ state: 'done', findings: 1 }]);
    expect(await findings()).toEqual([
      { kind: 'two_successes', invoiceId: 'order-1', ours: undefined, theirs: 'succeeded' },
    ]);
    expect(stripe.charges().filter(({ succeeded }) => succeeded)).toHaveLength(2);
  });

  it('finds that a debt was paid there by any of its names, and charges it no more', async () => {
    const { world, stripe, worker, reconcile, findings } = await stripeWorld();
    const failed = stripe.failedSubscriptionInvoice();
    await report(world, 'order-1', 'pm_decline', failed);
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    expect(await world.payment('order-1')).toMatchObject({ status: 'scheduled' });
    payBehindOurBack(stripe, failed.invoice);
    // Debts of before there were names have the invoice at the PSP as such alone.
    await world.rows(`delete from debt_identities where kind = 'invoice' and value = $1`, [
      failed.invoice.id,
    ]);
    world.clock.passMs(hourMs);
    await reconcile({ since });
    expect(await findings()).toEqual([
      { kind: 'missing_here', invoiceId: 'order-1', ours: undefined, theirs: 'succeeded' },
    ]);
    const asked = stripe.charges().length;
    await world.runUntil(addMs(worldStart, 20 * dayMs), worker);
    expect(stripe.charges()).toHaveLength(asked);
  });

  it('finds that a charge went through which was reported as failed', async () => {
    const { world, stripe, reconcile, findings } = await stripeWorld();
    const intent = stripe.world.makeIntent({
      amount: 2_000,
      currency: 'usd',
      customer: 'cus_1',
      methodId: 'pm_decline',
      metadata: {},
    });
    stripe.world.charge(intent, 'pm_decline', 'of the merchant');
    const charge = stripe.world.find(String(intent.latest_charge), 'charge');
    if (charge === undefined) throw new Error('no charge');
    await report(world, 'order-1', 'pm_success', { charge } as FailedInvoice);
    await world.settle();
    Object.assign(charge, { status: 'succeeded', paid: true });
    world.clock.passMs(2 * hourMs);
    expect(await reconcile({ since })).toMatchObject([{ findings: 1 }]);
    expect(await findings()).toEqual([
      { kind: 'missing_here', invoiceId: 'order-1', ours: undefined, theirs: 'succeeded' },
    ]);
  });

  it('finds nothing in what was given back, whoever took it', async () => {
    const { world, stripe, worker, reconcile, findings } = await stripeWorld();
    const failed = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
    await report(world, 'order-1', 'pm_success', failed);
    await report(world, 'order-declined', 'pm_decline');
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    payBehindOurBack(stripe, failed.invoice);
    const second = stripe.world.all('charge').at(-1);
    const contradicted = chargeOf(stripe, 'order-declined');
    if (second === undefined) throw new Error('no second charge');
    Object.assign(contradicted, { status: 'succeeded', paid: true });
    const givenBack = { amount_refunded: 2_000, refunded: true };
    for (const charge of [second, contradicted]) Object.assign(charge, givenBack);
    world.clock.passMs(2 * hourMs);
    expect(await reconcile({ since })).toMatchObject([{ state: 'done', findings: 0 }]);
    expect(await findings()).toEqual([]);
  });

  it('does not ask for the invoices of customers that nobody reported', async () => {
    const { world, stripe, reconcile, findings } = await stripeWorld();
    const other = stripe.failedSubscriptionInvoice();
    payBehindOurBack(stripe, other.invoice);
    world.clock.passMs(2 * hourMs);
    const before = stripe.requests.length;
    expect(await reconcile({ since })).toMatchObject([{ state: 'done', listed: 2, findings: 0 }]);
    expect(stripe.requests.slice(before).map(({ path }) => path.split('?')[0])).toEqual([
      '/v1/charges',
    ]);
    expect(await findings()).toEqual([]);
  });

  it('finds nothing new in what ended the recovery', async () => {
    const { world, stripe, worker, reconcile, findings } = await stripeWorld();
    const failed = stripe.failedSubscriptionInvoice();
    await report(world, 'order-1', 'pm_success', failed);
    payBehindOurBack(stripe, failed.invoice);
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    expect(await world.payment('order-1')).toMatchObject({ status: 'stopped' });
    world.clock.passMs(2 * hourMs);
    expect(await reconcile({ since })).toMatchObject([{ findings: 0 }]);
    expect(await findings()).toEqual([]);
  });
});
