import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { createAnalyticsStore } from '../../../src/store/disputes/analytics-store.ts';
import { createReplayStore } from '../../../src/store/replays/replay-store.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';
import { random } from '../../kits/engine.ts';
import {
  CutOff,
  move,
  sourceKeys,
  takeBack,
  targetKeys,
  twoCellsInOne,
} from '../../kits/moving.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

const merchantId = 'mer_leaver';
const at = minute(60);

let here: Database;
let there: Database;
let way: Parameters<typeof move>[0];
beforeEach(async () => {
  ({ here, there, way } = await twoCellsInOne(merchantId));
  await seedMerchant(here, merchantId);
});

describe('the erasure of a customer', () => {
  const customerId = 'cus_1';
  const storeOf = (db: Database, keys: typeof sourceKeys) =>
    createAnalyticsStore({ db, random, sealer: createSealer({ keys, random }) });
  const erase = (store: ReturnType<typeof storeOf>) =>
    store.eraseCustomer({ merchantId, customerId, at });
  const reader = { actor: 'operator', reason: 'a test' } as const;

  /** With an analytics record of the customer's. */
  async function analyticsHere() {
    const { wrappedKey } = await createSealer({ keys: sourceKeys, random }).newDataKey(
      merchantId,
      1,
    );
    await here.pool.query('insert into data_keys values ($1, 1, $2, now())', [
      merchantId,
      wrappedKey,
    ]);
    const ours = storeOf(here, sourceKeys);
    const theirs = storeOf(there, targetKeys);
    const ids = { customer_id: customerId, charge_id: 'ch_1' };
    const whose = { customerEmail: 'jane@example.com', ipv4Address: '8.8.4.4' };
    const analyticsId = await ours.append({
      merchantId,
      analytics: { ...whose, psp: 'stripe', ids },
      hasPublicIp: false,
      capturedAt: at,
    });
    return { ours, theirs, analyticsId };
  }

  it('while its rows lie copied in the other cell holds there, with its proof', async () => {
    const { ours, theirs, analyticsId } = await analyticsHere();
    await expect(move(way, { until: 'copied_ahead' })).rejects.toThrow(CutOff);
    const erased = await erase(ours);
    expect(erased).toMatchObject({ kind: 'erased', erasure: { records: 1 } });
    await move(way);
    expect(await theirs.find({ merchantId, analyticsId })).toMatchObject({ state: 'erased' });
    expect(await erase(theirs)).toEqual(erased);
    expect((await there.pool.query('select from moving_rows')).rowCount).toBe(0);
  });

  it('is refused once the rows are copied for good, and done by the other cell', async () => {
    const { ours, theirs, analyticsId } = await analyticsHere();
    await move(way, {
      async reached(step) {
        if (step !== 'copied') return;
        await expect(erase(ours)).rejects.toMatchObject({ code: 'merchant_moving' });
      },
    });
    await expect(erase(ours)).rejects.toMatchObject({ code: 'merchant_moving' });
    const input = { merchantId, analyticsId, reader, at };
    expect(await theirs.readPersonalData(input)).toBeDefined();
    expect(await erase(theirs)).toMatchObject({ kind: 'erased' });
    expect(await theirs.readPersonalData(input)).toBeUndefined();
    // The copy is there until it is cleared, and the old cell opens it to nobody.
    await expect(ours.readPersonalData(input)).rejects.toMatchObject({ code: 'merchant_moving' });
  });
});

describe('messages to customers', () => {
  const pageOf = (db: Database) =>
    db.pool.query(`update merchants set customer_page_url = 'https://shop.example/pay?t={token}'`);

  it('that are turned on while a move is halted keep it from being switched, until it is taken back', async () => {
    await expect(move(way, { until: 'copied_ahead' })).rejects.toThrow(CutOff);
    await pageOf(here);
    await expect(move(way)).rejects.toMatchObject({
      code: 'move_messages_stay',
      message: expect.stringContaining('--back'),
    });
    // Nothing is closed for it.
    expect((await here.pool.query('select state from merchant_moves')).rows).toEqual([
      { state: 'draining' },
    ]);
    expect((await there.pool.query('select from merchants')).rowCount).toBe(0);
    await takeBack(way);
    await expect(move(way)).rejects.toMatchObject({ code: 'move_messages_stay' });
    expect((await there.pool.query('select from moving_rows')).rowCount).toBe(0);
  });

  it('that are turned on in the last moment keep it from being switched too', async () => {
    const moved = move(way, {
      async reached(step) {
        if (step === 'drained') await pageOf(here);
      },
    });
    await expect(moved).rejects.toMatchObject({ code: 'move_messages_stay' });
    await takeBack(way);
    await pageOf(here);
  });
});

describe('a bulk replay', () => {
  const replayId = 'rpl_1';
  const scope = { merchantId, status: 'exhausted', from: minute(0), until: minute(50) } as const;
  const audit = { action: 'deliveries.replayed', detail: {}, at };
  const given = 3;

  async function seedGivenUp(): Promise<ReturnType<typeof createReplayStore>> {
    const invoiceId = 'in_1';
    await seedPayment(here, { merchantId, invoiceId });
    for (let number = 1; number <= given; number += 1) {
      const event = { number, sequence: number, state: 'declined', delivery: 'exhausted' } as const;
      await seedAttempt(here, { merchantId, invoiceId, ...event });
    }
    return createReplayStore(here);
  }
  const stepAll = async (store: ReturnType<typeof createReplayStore>) => {
    let queued = 0;
    for (;;) {
      const step = await store.step({ merchantId, at, limit: 2 });
      queued += step.queued;
      if (step.isOver) return queued;
    }
  };
  const found = (db: Database) => createReplayStore(db).find({ merchantId, replayId });
  const whole = { state: 'done', matched: given, queued: given, waiting: given, superseded: 0 };

  it('in the midst of which a move begins is waited for, and its progress is read in the other cell', async () => {
    const replays = await seedGivenUp();
    await replays.begin({ replayId, scope, at, audit });
    await replays.step({ merchantId, at, limit: 2 });
    await expect(move(way, { drainTimeoutMs: 400 })).rejects.toMatchObject({
      code: 'move_not_drained',
      message: expect.stringContaining('a replay runs'),
    });
    await stepAll(replays);
    await move(way);
    expect(await found(there)).toMatchObject(whole);
    await there.pool.query(`update deliveries set state = 'delivered', delivered_at = now(),
      next_attempt_at = null where event_id = (select min(event_id) from deliveries)`);
    expect(await found(there)).toMatchObject({ delivered: 1, waiting: given - 1 });
  });

  it('that is asked for after the drain ends before the switch, and queues each delivery once', async () => {
    const replays = await seedGivenUp();
    let drained = 0;
    let queued = 0;
    await move(way, {
      async reached(step) {
        if (step !== 'drained' && step !== 'copied_ahead') return;
        if (step === 'drained') drained += 1;
        if (step === 'drained' && drained === 1) {
          await replays.begin({ replayId, scope, at, audit });
          queued += (await replays.step({ merchantId, at, limit: 2 })).queued;
        }
        if (step === 'copied_ahead' && drained === 1) queued += await stepAll(replays);
      },
    });
    expect([drained, queued]).toEqual([2, given]);
    expect(await found(there)).toMatchObject(whole);
  });
});
