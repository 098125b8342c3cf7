import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplayScope } from '../../../src/recovery/replays/replay-ports.ts';
import type { Database } from '../../../src/store/database.ts';
import { createReplayStore } from '../../../src/store/replays/replay-store.ts';
import { insertRows } from '../../kits/insert-rows.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

const merchantId = 'mer_a';
const states = ['delivered', 'pending', 'exhausted'] as const;
const at = minute(9_000);

let db: Database;
let store: ReturnType<typeof createReplayStore>;
/** As they were seeded: each test begins with them. */
let deliveries: readonly object[];
beforeAll(async () => {
  db = await openReportDatabase();
  store = createReplayStore(db);
  for (const id of [merchantId, 'mer_b']) {
    await seedMerchant(db, id);
    await seedPayment(db, { merchantId: id, invoiceId: 'in_1' });
    // Events of minutes 1 to 6: pending, exhausted, delivered, and so once more.
    for (let number = 1; number <= 6; number += 1) {
      await seedAttempt(db, {
        merchantId: id,
        invoiceId: 'in_1',
        number,
        state: 'declined',
        sequence: number,
        delivery: states[number % 3] ?? 'pending',
      });
    }
  }
  const { rows } = await db.pool.query('select to_jsonb(d) as delivery from deliveries d');
  deliveries = rows.map(({ delivery }) => delivery);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query('delete from replays');
  await db.pool.query('delete from delivery_tries');
  await db.pool.query('delete from deliveries');
  await insertRows(db.pool, 'deliveries', deliveries);
});

const scopeOf = (change: Partial<ReplayScope> = {}): ReplayScope => ({
  merchantId,
  status: 'exhausted',
  from: minute(0),
  until: at,
  ...change,
});

const begin = (change: Partial<ReplayScope> = {}, replayId = 'rpl_1') =>
  store.begin({
    replayId,
    scope: scopeOf(change),
    at,
    audit: { action: 'deliveries.replayed', detail: { replay_id: replayId }, at },
  });

async function work(limit = 100): Promise<readonly number[]> {
  const counts: number[] = [];
  for (;;) {
    const { queued, isOver } = await store.step({ merchantId, at, limit });
    if (isOver) return counts;
    counts.push(queued);
  }
}

const show = (replayId = 'rpl_1') => store.find({ merchantId, replayId });

async function replayed(): Promise<readonly string[]> {
  const { rows } = await db.pool.query(
    'select merchant_id, event_id from deliveries where replay_id is not null order by 1, 2',
  );
  return rows.map((row) => `${row.merchant_id} ${row.event_id.replace('evt_att_in_1_', '')}`);
}

/** What the worker makes of one. */
const became = (number: number, columns: string) =>
  db.pool.query(`update deliveries set ${columns} where merchant_id = $1 and event_id = $2`, [
    merchantId,
    `evt_att_in_1_${number}`,
  ]);

describe('which deliveries a replay means', () => {
  it.each<[string, Partial<ReplayScope>, readonly string[]]>([
    ['those that were given up', {}, ['2', '5']],
    ['delivered ones', { status: 'delivered' }, ['3', '6']],
    ['any', { status: 'any' }, ['1', '2', '3', '4', '5', '6']],
    ['from a time on', { from: minute(3), status: 'any' }, ['3', '4', '5', '6']],
    ['before a time', { until: minute(3), status: 'any' }, ['1', '2']],
    ['of a type', { type: 'retry_result' }, ['2', '5']],
    ['of a type that there is none of', { type: 'end_of_dunning' }, []],
  ])('%s', async (_name, scope, expected) => {
    expect(await store.count(scopeOf(scope))).toBe(expected.length);
    expect((await begin(scope)).matched).toBe(expected.length);
    await work();
    expect(await replayed()).toEqual(expected.map((number) => `${merchantId} ${number}`));
    expect((await show())?.state).toBe('done');
  });
});

describe('a replay', () => {
  it('begins a new window for each, and leaves its tries', async () => {
    await begin({ status: 'any' });
    await work();
    const { rows } = await db.pool.query(
      `select distinct state, window_started_at, next_attempt_at, delivered_at, fence, tries
       from deliveries where merchant_id = $1`,
      [merchantId],
    );
    expect(rows).toEqual([
      {
        state: 'pending',
        window_started_at: null,
        next_attempt_at: at,
        delivered_at: null,
        fence: 1,
        tries: 1,
      },
    ]);
  });

  it('is noted with its line of the audit log and the count', async () => {
    await begin();
    const { rows } = await db.pool.query(
      `select action, detail from audit_log where merchant_id = $1 order by at desc limit 1`,
      [merchantId],
    );
    expect(rows).toEqual([
      { action: 'deliveries.replayed', detail: { replay_id: 'rpl_1', count: 2 } },
    ]);
  });

  it('of nothing is done when it begins', async () => {
    const replay = await begin({ until: minute(0) });
    expect(replay).toMatchObject({ state: 'done', matched: 0, queued: 0, endedAt: at });
    expect(await work()).toEqual([]);
  });

  it('takes each once, batch by batch, though they are delivered again meanwhile', async () => {
    await begin({ status: 'any' });
    const counts: number[] = [];
    for (;;) {
      const { queued, isOver } = await store.step({ merchantId, at, limit: 1 });
      if (isOver) break;
      counts.push(queued);
      await db.pool.query(
        `update deliveries set state = 'delivered', delivered_at = $1, next_attempt_at = null
         where replay_id = 'rpl_1' and state = 'pending'`,
        [at],
      );
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(await show()).toMatchObject({ state: 'done', queued: 6, delivered: 6, waiting: 0 });
  });

  it('comes back to what somebody held at the first look', async () => {
    await begin();
    await db.transaction(async (tx) => {
      const held = { name: 'hold', text: `select from deliveries where event_id = $1 for update` };
      await tx.query(held, ['evt_att_in_1_2']);
      expect((await store.step({ merchantId, at, limit: 1 })).queued).toBe(1);
    });
    await work(1);
    expect(await show()).toMatchObject({ state: 'done', queued: 2 });
  });

  it('tells what became of its own deliveries, and counts no others', async () => {
    await begin({ status: 'any' });
    await work();
    await became(1, `state = 'delivered', delivered_at = now(), next_attempt_at = null`);
    await became(2, `window_started_at = now()`);
    await became(3, `state = 'exhausted', next_attempt_at = null`);
    await became(4, `set_aside_at = now(), set_aside_reason = 'x', next_attempt_at = null`);
    expect(await show()).toMatchObject({
      matched: 6,
      queued: 6,
      delivered: 1,
      failing: 1,
      exhausted: 2,
      waiting: 2,
      superseded: 0,
    });
  });

  it('says what a later one took over', async () => {
    await begin();
    await work();
    await begin({ status: 'any', from: minute(5) }, 'rpl_2');
    await work();
    expect(await show()).toMatchObject({ queued: 2, waiting: 1, superseded: 1 });
    expect(await show('rpl_2')).toMatchObject({ queued: 2, waiting: 2, superseded: 0 });
  });

  it('that was begun beside another is worked on after it, by the same run', async () => {
    await begin();
    await begin({ status: 'delivered' }, 'rpl_2');
    expect(await work()).toEqual([2, 2]);
    expect((await show('rpl_2'))?.state).toBe('done');
  });

  it('is of one merchant alone', async () => {
    await begin();
    expect(await store.find({ merchantId: 'mer_b', replayId: 'rpl_1' })).toBeUndefined();
    expect(await store.step({ merchantId: 'mer_b', at, limit: 9 })).toEqual({
      queued: 0,
      isOver: true,
    });
  });
});

it('the list has the newest first, page by page', async () => {
  for (const id of ['rpl_1', 'rpl_2', 'rpl_3']) await begin({}, id);
  const first = await store.list({ merchantId, limit: 2 });
  expect(first.items.map(({ replayId }) => replayId)).toEqual(['rpl_3', 'rpl_2']);
  const cursor = first.nextCursor ?? '';
  const second = await store.list({ merchantId, limit: 2, cursor });
  expect(second).toMatchObject({ items: [{ replayId: 'rpl_1' }] });
  expect(second.nextCursor).toBeUndefined();
});
