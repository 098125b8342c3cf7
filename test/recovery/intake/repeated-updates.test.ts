import { describe, expect, it } from 'vitest';
import { addMs, hourMs, secondMs } from '../../../src/domain/clock.ts';
import type { PaymentMethodUpdateBody } from '../../../src/domain/payment-event.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();
const hours = (count: number): Date => addMs(worldStart, count * hourMs);

const payment_method_id = 'pm_sandbox_decline_51';
const byMerchant = { customer_id: 'cus_1', payment_method_id };
const byPsp = { psp_customer_id: 'psp_cus_1', payment_method_id };

/** A world whose payment waits for its first retry, and to which updates come one after another. */
async function afterUpdates(updates: readonly PaymentMethodUpdateBody[], apartMs: number) {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: [payment_method_id], pspCustomerId: 'psp_cus_1' }));
  await world.runUntil(hours(5));
  for (const update of updates) {
    await world.submitUpdate(update);
    await world.settle();
    world.clock.passMs(apartMs);
  }
  return world;
}

describe('updates of one method', () => {
  it.each([
    ['within a minute, as of one change over two channels, lead to one try', 10 * secondMs, 1],
    ['more than a minute apart lead to a try each', 61 * secondMs, 2],
  ])('%s', async (_, apartMs, tries) => {
    const updates = [
      { ...byMerchant, reason: 'user_updated' },
      { ...byPsp, reason: 'network_updated' },
    ] as const;
    const world = await afterUpdates(updates, apartMs);
    expect(await world.ledger()).toHaveLength(tries);
    expect((await world.payment()).nextAttemptAt).toEqual(hours(24));
    await expectSound(world);
  });

  it('that come one after another within a minute lead to one try', async () => {
    const updates = Array.from({ length: 10 }, () => byMerchant);
    const world = await afterUpdates(updates, secondMs);
    expect(await world.ledger()).toHaveLength(1);
  });

  it('lead to another try within a minute where it was removed in between', async () => {
    const reasons = ['user_updated', 'user_removed', 'user_added'] as const;
    const updates = reasons.map((reason) => ({ ...byMerchant, reason }));
    const world = await afterUpdates(updates, secondMs);
    expect(await world.ledger()).toHaveLength(2);
  });
});
