import { expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs, hourMs, secondMs } from '../../../../src/domain/clock.ts';
import { createStripeAdapter } from '../../../../src/psp/stripe/adapter.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { type StripeServer, startStripeServer } from '../../../kits/psps/stripe-server.ts';
import { pspTimeoutMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const windowDays = 14;
const firstTry = addMs(worldStart, dayMs);
const afterAll = addMs(worldStart, (windowDays + 2) * dayMs);
/** How far our clock runs ahead of Stripe's. */
const aheadMs = 10 * secondMs;

/** An invoice that lives at Stripe, whose next payment goes through (or not) and loses its answer. */
async function lostPayment(methodId = 'pm_lost_success') {
  const world = await engineWorld({
    psps: ['stripe'],
    policy: { windowDays, fixedDays: [1, 2, 3, 5, 7], maxAttempts: 6 },
  });
  const stripe = await startStripeServer({ now: () => addMs(world.clock.now(), -aheadMs) });
  const { url: baseUrl, credentials } = stripe;
  const adapter = createStripeAdapter({ baseUrl, deadlineMs: pspTimeoutMs, clock: world.clock });
  onTestFinished(() => Promise.all([adapter.close(), stripe.close()]).then(() => undefined));
  const gateway = adapter.connect(credentials);
  const { invoice } = stripe.failedSubscriptionInvoice();
  await world.submit(
    failedEvent({
      invoiceId: invoice.id,
      pspCustomerId: 'cus_1',
      methods: [methodId],
      amount: 20,
      psp: 'stripe',
    }),
  );
  const findGateway = async () => gateway;
  const worker = world.worker(() => ({ findGateway }));
  /** As the other, but nobody looks for lost answers. */
  const blind = world.worker(({ unknownCharges }) => ({
    findGateway,
    unknownCharges: { ...unknownCharges, claimDue: async () => ({ items: [], isAll: true }) },
  }));
  return { world, stripe, invoice, worker, blind };
}

/** Once in Stripe's ledger, once told, and asked for no oftener than by one key and its repetition. */
async function expectOneSuccess(world: EngineWorld, stripe: StripeServer, invoiceId: string) {
  expect(stripe.charges().filter(({ succeeded }) => succeeded)).toHaveLength(1);
  expect(stripe.world.find(invoiceId, 'invoice')).toMatchObject({ status: 'paid' });
  expect(await world.payment(invoiceId)).toMatchObject({
    status: 'recovered',
    attempts: [{ status: 'succeeded' }],
  });
  expect(world.server.webhooks.map(({ type, json }) => ({ type, json }))).toMatchObject([
    { type: 'retry_result', json: { invoice_id: invoiceId, success: true } },
  ]);
  const paid = stripe.requests.filter(({ path }) => path.endsWith('/pay'));
  expect(paid.length).toBeLessThanOrEqual(2);
  expect(new Set(paid.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
}

it('a paid invoice whose answer was lost is found, though our clock is 10 s ahead', async () => {
  const { world, stripe, invoice, worker } = await lostPayment();
  await world.runUntil(firstTry, worker);
  expect(await world.payment(invoice.id)).toMatchObject({ attempts: [{ status: 'unknown' }] });
  expect(stripe.charges().filter(({ succeeded }) => succeeded)).toHaveLength(1);
  await world.runUntil(afterAll, worker);
  await expectOneSuccess(world, stripe, invoice.id);
});

it('it is found by its mark when Stripe has forgotten the key', async () => {
  const { world, stripe, invoice, worker, blind } = await lostPayment();
  await world.runUntil(firstTry, blind);
  for (let hour = 0; hour < 25; hour += 1) {
    world.clock.passMs(hourMs);
    await blind.settle();
  }
  expect(await world.payment(invoice.id)).toMatchObject({ attempts: [{ status: 'unknown' }] });
  await world.runUntil(afterAll, worker);
  await expectOneSuccess(world, stripe, invoice.id);
});

it('what Stripe itself took before our try is no success of ours, and is not asked for again', async () => {
  const { world, stripe, invoice, worker } = await lostPayment();
  stripe.payByStripeItself(invoice.id, 'pm_success');
  await world.runUntil(afterAll, worker);
  expect(stripe.charges().filter(({ succeeded }) => succeeded)).toHaveLength(1);
  expect(await world.payment(invoice.id)).toMatchObject({ status: 'stopped' });
  expect(stripe.requests.filter(({ path }) => path.endsWith('/pay')).length).toBeLessThanOrEqual(1);
});

it("Stripe's own later success is not taken for our try, whose decline was lost", async () => {
  const { world, stripe, invoice, worker, blind } = await lostPayment('pm_lost_decline');
  await world.runUntil(firstTry, blind);
  world.clock.passMs(hourMs);
  stripe.payByStripeItself(invoice.id, 'pm_success');
  // The same card has money by then.
  const success = stripe.world.all('charge').at(-1);
  if (success !== undefined) success.payment_method = 'pm_lost_decline';
  for (let hour = 0; hour < 30; hour += 1) {
    world.clock.passMs(hourMs);
    await blind.settle();
  }
  expect(stripe.charges().map(({ succeeded }) => succeeded)).toEqual([false, false, true]);
  await world.runUntil(afterAll, worker);
  expect(await world.payment(invoice.id)).toMatchObject({
    status: 'stopped',
    stopReason: 'recovered_elsewhere',
    attempts: [{ status: 'declined' }, { status: 'not_attempted' }],
  });
  expect(world.server.webhooks.map(({ json }) => json)).not.toContainEqual(
    expect.objectContaining({ success: true }),
  );
});
