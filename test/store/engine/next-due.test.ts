import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { readLongestWaits, readNextDue } from '../../../src/store/engine/next-due.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { leaseMs } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** Two planned payments, whose first try is due in a day. */
async function planned(): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const invoiceId of ['in_1', 'in_2']) {
    await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
  }
  await world.settle();
  return world;
}

describe('the next due work', () => {
  it('is told with its times, as far as was asked', async () => {
    const world = await planned();
    const now = worldStart;
    const within = await readNextDue(world.db, { now, until: firstTry });
    expect(within.payments).toEqual({ at: [firstTry, firstTry], isAll: true });
    const before = await readNextDue(world.db, { now, until: addMs(firstTry, -1) });
    expect(before.payments).toEqual({ at: [], isAll: true });
  });

  it('is not what a worker has, until its lease ends', async () => {
    const world = await planned();
    world.clock.set(firstTry);
    expect(await world.claimPayments(1)).toHaveLength(1);
    const at = async (now: Date) =>
      (await readNextDue(world.db, { now, until: now })).payments.at.length;
    expect(await at(addMs(firstTry, leaseMs - 1))).toBe(1);
    expect(await at(addMs(firstTry, leaseMs))).toBe(2);
  });

  it('is not that of a merchant on its way to another cell, and nothing of it waits', async () => {
    const world = await planned();
    const now = addMs(firstTry, hourMs);
    expect((await readLongestWaits(world.db, now)).payments).toBe(hourMs);
    await world.rows(
      `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
       values ($1, 'mov_1', 'draining', 'cell_2', 'http://127.0.0.1:1', 'http://127.0.0.1:2', $2)`,
      [world.merchantId, worldStart],
    );
    const { payments } = await readNextDue(world.db, { now, until: now });
    expect(payments).toEqual({ at: [], isAll: true });
    expect((await readLongestWaits(world.db, now)).payments).toBe(0);
  });
});
