import { describe, expect, it } from 'vitest';
import { createBulkWork } from '../../../src/app/operator/bulk-actions.ts';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { beginBulk } from '../../../src/recovery/bulk/begin-bulk.ts';
import type { AskedBulk, DoOne } from '../../../src/recovery/bulk/bulk-ports.ts';
import { bulkStep } from '../../../src/recovery/bulk/bulk-step.ts';
import { actAs } from '../../../src/store/admin/acting.ts';
import { createBulkStore } from '../../../src/store/bulk/bulk-store.ts';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();

/** Payments that are scheduled: as many as were asked for, one with a card that may not be tried. */
async function withPayments(count: number): Promise<EngineWorld> {
  const world = await engineWorld();
  for (let n = 1; n <= count; n += 1) {
    const invoiceId = `in_${n}`;
    const methods = cardsOf(invoiceId);
    await world.submit(failedEvent({ invoiceId, customerId: `cus_${n}`, methods }));
  }
  await world.settle();
  // What begins at the very time of asking is no part of it.
  await world.runUntil(addMs(world.clock.now(), 1));
  return world;
}

function begin(world: EngineWorld, asked: Omit<AskedBulk, 'merchantId' | 'reason'>) {
  const { merchantId, db, clock } = world;
  const bulks = createBulkStore(db);
  const deps = { bulks, clock, random, requestBulk: async () => {} };
  return beginBulk(deps, { merchantId, reason: 'all of these', ...asked });
}

const workOf = (world: EngineWorld): DoOne => createBulkWork({ ...world.deps, db: world.db });

async function run(world: EngineWorld, doOne = workOf(world)): Promise<void> {
  const bulks = createBulkStore(world.db);
  const { merchantId } = world;
  while ((await bulkStep({ bulks, doOne }, { merchantId, at: world.clock.now() })) > 0);
}

const found = (world: EngineWorld, bulkId: string) =>
  createBulkStore(world.db).find({ merchantId: world.merchantId, bulkId });

const states = (world: EngineWorld) =>
  world.rows(
    `select invoice_id, state, set_aside_reason from payments where merchant_id = $1 order by invoice_id`,
    [world.merchantId],
  );

describe('a bulk action', () => {
  it('stops each payment that it means, with a line for each in the name of who asked', async () => {
    const world = await withPayments(3);
    const begun = await actAs({ actor: 'op_1', address: '10.0.0.1' }, () =>
      begin(world, { action: 'stop' }),
    );
    expect(begun).toMatchObject({ matched: 3, done: 0, state: 'running' });
    await run(world);
    expect(await found(world, begun.bulkId)).toMatchObject({
      done: 3,
      refused: {},
      state: 'done',
    });
    expect(await states(world)).toEqual(
      [1, 2, 3].map((n) => ({ invoice_id: `in_${n}`, state: 'stopped', set_aside_reason: null })),
    );
    const lines = await world.rows(
      `select actor, action, detail ->> 'bulk_id' as bulk_id from audit_log
       where merchant_id = $1 and action like 'payment%' order by action, detail ->> 'invoice_id'`,
      [world.merchantId],
    );
    const line = { actor: 'op_1', bulk_id: begun.bulkId };
    expect(lines).toEqual([
      ...Array(3).fill({ ...line, action: 'payment.stopped' }),
      { ...line, action: 'payments.bulk' },
    ]);
    await expectSound(world);
  });

  it('retries by the rules, and says of the others why not', async () => {
    const world = await withPayments(2);
    await world.rows(
      `update payments set frozen_at = updated_at, next_attempt_at = null
       where merchant_id = $1 and invoice_id = 'in_2' returning 1`,
      [world.merchantId],
    );
    const { bulkId } = await begin(world, { action: 'retry' });
    await run(world);
    expect(await found(world, bulkId)).toMatchObject({
      matched: 2,
      done: 1,
      refused: { 'This invoice has an open incident': 1 },
    });
    const due = await world.rows(
      `select next_attempt_at from payments where merchant_id = $1 and invoice_id = 'in_1'`,
      [world.merchantId],
    );
    expect(due).toEqual([{ next_attempt_at: world.clock.now() }]);
  });

  it('sets aside, and what is set aside is not tried until it is retried', async () => {
    const world = await withPayments(2);
    const { bulkId } = await begin(world, { action: 'set_aside' });
    await run(world);
    expect(await found(world, bulkId)).toMatchObject({ done: 2, refused: {} });
    expect(await states(world)).toEqual(
      [1, 2].map((n) => ({
        invoice_id: `in_${n}`,
        state: 'scheduled',
        set_aside_reason: 'all of these',
      })),
    );
    await world.runUntil(addMs(world.clock.now(), 7 * dayMs));
    expect(await world.rows('select from recorded_attempts')).toEqual([]);
    for (const heldBy of ['incident', 'none'] as const) {
      expect(await begin(world, { action: 'stop', heldBy })).toMatchObject({ matched: 0, heldBy });
    }
    const retried = await begin(world, { action: 'retry', heldBy: 'set_aside' });
    expect(retried).toMatchObject({ matched: 2 });
    await run(world);
    await world.settle();
    expect(await world.rows(`select from payments where state = 'recovered'`)).toHaveLength(2);
    await expectSound(world);
  });

  it('keeps to what is on hold while it runs, and leaves the others alone', async () => {
    const world = await withPayments(3);
    const { merchantId } = world;
    await world.rows(
      `update payments set set_aside_at = updated_at, set_aside_reason = 'down', next_attempt_at = null
       where merchant_id = $1 and invoice_id <> 'in_2' returning 1`,
      [merchantId],
    );
    const begun = await begin(world, { action: 'stop', heldBy: 'any' });
    expect(begun.matched).toBe(2);
    await run(world);
    expect(await found(world, begun.bulkId)).toMatchObject({ done: 2, heldBy: 'any' });
    const open = await world.rows(`select invoice_id from payments where state = 'scheduled'`);
    expect(open).toEqual([{ invoice_id: 'in_2' }]);
  });

  it('goes on where one that died left it, and counts nothing twice', async () => {
    const world = await withPayments(4);
    const { bulkId } = await begin(world, { action: 'stop' });
    const doOne = workOf(world);
    let seen = 0;
    const dying: DoOne = async (bulk, key) => {
      const outcome = await doOne(bulk, key);
      seen += 1;
      // It was done, and dies before that is noted.
      if (seen === 3) throw new Error('killed');
      return outcome;
    };
    await expect(run(world, dying)).rejects.toThrow('killed');
    expect(await found(world, bulkId)).toMatchObject({ done: 2, state: 'running' });
    await run(world);
    expect(await found(world, bulkId)).toMatchObject({ done: 4, refused: {}, state: 'done' });
  });

  it('tells a retry that one who died had done as done, though its attempt is over since', async () => {
    const world = await withPayments(1);
    const { bulkId } = await begin(world, { action: 'retry' });
    const doOne = workOf(world);
    const dying: DoOne = async (bulk, key) => {
      await doOne(bulk, key);
      throw new Error('killed');
    };
    await expect(run(world, dying)).rejects.toThrow('killed');
    await world.settle();
    expect(await world.rows(`select from payments where state = 'recovered'`)).toHaveLength(1);
    await run(world);
    expect(await found(world, bulkId)).toMatchObject({ done: 1, refused: {}, state: 'done' });
  });

  it('is done once by two processes at the same time', async () => {
    const world = await withPayments(4);
    const { bulkId } = await begin(world, { action: 'stop' });
    await Promise.all([run(world), run(world)]);
    expect(await found(world, bulkId)).toMatchObject({ done: 4, refused: {}, state: 'done' });
  });

  it('means the payments of its filters, and none that begin later', async () => {
    const world = await withPayments(2);
    const asked = { action: 'stop', waitingFor: 'customer' } as const;
    expect(await begin(world, asked)).toMatchObject({ matched: 0, state: 'done' });
    const until = world.clock.now();
    expect(await begin(world, { action: 'stop', until, status: 'attempting' })).toMatchObject({
      matched: 0,
    });
    const begun = await begin(world, { action: 'stop', until: addMs(until, -dayMs) });
    expect(begun.matched).toBe(0);
    await run(world);
    expect(await world.rows(`select from payments where state = 'scheduled'`)).toHaveLength(2);
  });
});
