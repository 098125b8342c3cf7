import { describe, expect, it } from 'vitest';
import { addMs, hourMs, secondMs } from '../../../src/domain/clock.ts';
import type { UpdateReason } from '../../../src/domain/payment-event.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { leaseMs } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const hours = (count: number): Date => addMs(worldStart, count * hourMs);

const payment_method_id = 'pm_sandbox_decline_51';

type Told = readonly ['merchant' | 'psp', UpdateReason];

/** A world whose payment waits for its first retry, and to which updates come one after another. */
async function afterUpdates(updates: readonly Told[], apartMs: number) {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: [payment_method_id], pspCustomerId: 'psp_cus_1' }));
  await world.runUntil(hours(5));
  for (const [channel, reason] of updates) {
    if (channel === 'psp') {
      await world.submitPspUpdate({ psp_customer_id: 'psp_cus_1', payment_method_id, reason });
    } else await world.submitUpdate({ customer_id: 'cus_1', payment_method_id, reason });
    await world.settle();
    world.clock.passMs(apartMs);
  }
  return world;
}

const byMerchant: Told = ['merchant', 'user_updated'];
const byPsp: Told = ['psp', 'network_updated'];

describe('updates of one method', () => {
  it.each([
    ['by the merchant and by its PSP within a minute lead to one try', [byMerchant, byPsp], 10, 1],
    ['by the PSP, however many within a minute, lead to one try', [byPsp, byPsp, byPsp], 1, 1],
    ['by the PSP more than a minute apart lead to a try each', [byPsp, byPsp], 61, 2],
    ['by the merchant lead to a try each, whenever they come', [byMerchant, byMerchant], 1, 2],
    ['by the merchant lead to a try after the PSP’s as well', [byPsp, byMerchant], 1, 2],
  ] as const)('%s', async (_, updates, apartSeconds, tries) => {
    const world = await afterUpdates(updates, apartSeconds * secondMs);
    expect(await world.ledger()).toHaveLength(tries);
    expect((await world.payment()).nextAttemptAt).toEqual(hours(24));
    await expectSound(world);
  });

  it('of which the merchant tells in the same batch as its PSP count as the merchant’s', async () => {
    const world = await afterUpdates([byMerchant], secondMs);
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id });
    await world.submitPspUpdate({ psp_customer_id: 'psp_cus_1', payment_method_id });
    await world.settle();
    expect(await world.ledger()).toHaveLength(2);
  });

  it('lead to another try within a minute where the PSP removed it in between', async () => {
    const reasons = ['user_updated', 'user_removed', 'user_added'] as const;
    const world = await afterUpdates(
      reasons.map((reason) => ['psp', reason] as const),
      secondMs,
    );
    expect(await world.ledger()).toHaveLength(2);
  });

  it('lead to that try also where the removal is applied together with what follows it', async () => {
    const world = await afterUpdates([['psp', 'user_updated']], secondMs);
    for (const reason of ['user_removed', 'user_added'] as const) {
      await world.submitPspUpdate({ psp_customer_id: 'psp_cus_1', payment_method_id, reason });
    }
    await world.settle();
    expect(await world.ledger()).toHaveLength(2);
  });

  it('reach each customer whom one of them names, where they are applied together', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: [payment_method_id] }));
    await world.runUntil(hours(5));
    const added = { payment_method_id: 'pm_sandbox_success', reason: 'user_added' } as const;
    await world.submitUpdate({ customer_id: 'cus_1', ...added });
    await world.submitPspUpdate({ psp_customer_id: 'psp_cus_1', ...added });
    await world.settle();
    expect(await world.payment()).toMatchObject({ status: 'recovered' });
    await expectSound(world);
  });

  it('lead to one try where a process dies once they are applied, before it says so', async () => {
    const world = await afterUpdates([], 0);
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id });
    const dying = world.worker(({ requestLog }) => ({
      requestLog: { ...requestLog, finish: () => Promise.reject(new Error('it dies')) },
    }));
    await expect(dying.apply(await world.claimRequests())).rejects.toThrow('it dies');
    world.clock.passMs(secondMs);
    await world.settle();
    expect(await world.ledger()).toHaveLength(1);
    world.clock.passMs(leaseMs);
    await world.settle();
    expect(await world.rows('select state from requests')).toEqual(
      Array.from({ length: 2 }, () => ({ state: 'applied' })),
    );
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });
});
