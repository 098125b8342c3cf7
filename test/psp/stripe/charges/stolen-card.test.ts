import { expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { createStripeAdapter } from '../../../../src/psp/stripe/adapter.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { useEngineWorld } from '../../../kits/engine.ts';
import { startStripeServer } from '../../../kits/psps/stripe-server.ts';
import { pspTimeoutMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const windowDays = 14;

async function stripeWorld() {
  const world = await engineWorld({
    psps: ['stripe'],
    policy: { windowDays, fixedDays: [1, 2, 3, 5, 7], maxAttempts: 6 },
  });
  const stripe = await startStripeServer({ now: () => world.clock.now() });
  const { url: baseUrl, credentials } = stripe;
  const adapter = createStripeAdapter({ baseUrl, deadlineMs: pspTimeoutMs, clock: world.clock });
  onTestFinished(() => Promise.all([adapter.close(), stripe.close()]).then(() => undefined));
  const gateway = adapter.connect(credentials);
  const worker = world.worker(() => ({ findGateway: async () => gateway }));
  return { world, stripe, worker };
}

it('a card that Stripe said is stolen is charged for no other debt', async () => {
  const { world, stripe, worker } = await stripeWorld();
  const debt = { pspCustomerId: 'cus_1', methods: ['pm_stolen'], psp: 'stripe' as const };
  await world.submit(failedEvent({ ...debt, invoiceId: 'inv_first' }));
  await world.runUntil(addMs(worldStart, dayMs), worker);
  await world.submit(failedEvent({ ...debt, invoiceId: 'inv_second', at: world.clock.now() }));
  await world.runUntil(addMs(worldStart, (windowDays + 2) * dayMs), worker);
  expect(stripe.charges()).toHaveLength(1);
});

it('nor is one that Stripe called stolen in a report alone', async () => {
  const { world, stripe, worker } = await stripeWorld();
  const debt = { pspCustomerId: 'cus_1', methods: ['pm_success'], psp: 'stripe' as const };
  const stolen = { raw_response_message: 'declined', processor_response_code: 'stolen_card' };
  await world.submit(failedEvent({ ...debt, invoiceId: 'inv_open' }));
  await world.submit(failedEvent({ ...debt, invoiceId: 'inv_stolen', outcome: stolen }));
  await world.runUntil(addMs(worldStart, (windowDays + 2) * dayMs), worker);
  expect(stripe.charges()).toHaveLength(0);
});
