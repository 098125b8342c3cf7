import { expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { createCheckoutAdapter } from '../../../src/psp/checkout/adapter.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { pspTimeoutMs } from '../../kits/worker.ts';
import { checkoutServer } from './checkout-kit.ts';

const engineWorld = useEngineWorld();
const windowDays = 20;

/** Two debts of one customer on one card, and the days of the whole window go by. */
async function chargesOf(sourceId: string) {
  const world = await engineWorld({
    psps: ['checkout'],
    policy: { windowDays, fixedDays: [1, 3, 5, 7, 9, 12], maxAttempts: 8 },
  });
  const server = await checkoutServer();
  const { url: baseUrl, credentials } = server;
  const { clock } = world;
  const adapter = createCheckoutAdapter({ baseUrl, deadlineMs: pspTimeoutMs, clock });
  onTestFinished(() => adapter.close());
  const gateway = adapter.connect(credentials);
  const worker = world.worker(() => ({ findGateway: async () => gateway }));
  const report = (invoiceId: string) =>
    world.submit(failedEvent({ invoiceId, methods: [sourceId], psp: 'checkout', at: clock.now() }));
  await report('in_1');
  await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
  const first = server.charges().length;
  await report('in_2');
  await world.runUntil(addMs(worldStart, (windowDays + 5) * dayMs), worker);
  return { first, all: server.charges().length, payment: await world.payment('in_1') };
}

it('a card that Checkout.com recommends not to try again is not charged again, for any debt', async () => {
  const { first, all, payment } = await chargesOf('src_decline_20005_rec_03');
  expect({ first, all }).toEqual({ first: 1, all: 1 });
  expect(payment).toMatchObject({ status: 'exhausted', attempts: [{ status: 'declined' }] });
});

it('the same decline without that advice is tried again, so it is the advice that ends it', async () => {
  const { first, all } = await chargesOf('src_decline_20005');
  expect(first).toBe(1);
  expect(all).toBeGreaterThan(3);
});
