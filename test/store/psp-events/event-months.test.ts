import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { NotedPspEvent } from '../../../src/recovery/psp-event-ports.ts';
import type { Database } from '../../../src/store/database.ts';
import {
  dropPspEventMonth,
  makePspEventMonths,
} from '../../../src/store/psp-events/event-months.ts';
import { createPspEventStore } from '../../../src/store/psp-events/psp-event-store.ts';
import { trimPspEvents } from '../../../src/store/retention.ts';
import type { Sealer } from '../../../src/store/sealing/sealer.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { seedMerchant } from '../reports/seed.ts';

const march = new Date('2026-03-15T12:00:00Z');
const april = new Date('2026-04-02T12:00:00Z');

/** Nothing is sealed here: no test notes a dispute. */
const sealer = {} as Sealer;

let db: Database;
let ofTheMigration: readonly string[];
beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_1');
  ofTheMigration = await tables();
});
afterAll(() => db.close());
beforeEach(async () => {
  const made = await tables();
  for (const table of made) await db.pool.query(`drop table ${table}`);
  await db.pool.query('truncate psp_event_notes, psp_events');
});

/** Those of months, which stand beside the rest. */
async function tables(): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'psp_event_notes'::regclass and inhrelid <> 'psp_event_notes_rest'::regclass
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Where each note stands. */
async function places(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await db.pool.query<{ id: string; place: string }>(
    // On Citus a row stands in the table's shard, named after it with a number.
    `select event_id as id, regexp_replace(tableoid::regclass::text, '_\\d{5,}$', '') as place
     from psp_event_notes
     union all select event_id, 'psp_events' from psp_events order by 1`,
  );
  return Object.fromEntries(rows.map(({ id, place }) => [id, place]));
}

const note = (eventId: string, occurredAt: Date, more: Partial<NotedPspEvent> = {}) =>
  createPspEventStore({ db, sealer }).note({
    merchantId: 'mer_1',
    psp: 'stripe',
    eventId,
    type: 'invoice.voided',
    kind: 'invoice_closed',
    outcome: 'nothing_to_stop',
    occurredAt,
    receivedAt: addMs(occurredAt, 1_000),
    ...more,
  });

const [ofMarch, ofApril] = ['psp_event_notes_2026_03', 'psp_event_notes_2026_04'];
const rest = 'psp_event_notes_rest';

describe('the tables of months', () => {
  beforeEach(async ({ skip }) => {
    skip(await isOnCitus(db.pool), 'a node of Citus makes no tables');
  });

  it('are there from the migration on, for its month and the next one', () => {
    const [first = '', next = ''] = ofTheMigration.map((name) => name.slice(-7).replace('_', '-'));
    expect(ofTheMigration).toHaveLength(2);
    const after = new Date(`${first}-01T00:00:00Z`);
    after.setUTCMonth(after.getUTCMonth() + 1);
    expect(next).toBe(after.toISOString().slice(0, 7));
  });

  it('are made for this month and ahead for the next one, once', async () => {
    await makePspEventMonths(db, march);
    await makePspEventMonths(db, march);
    expect(await tables()).toEqual([ofMarch, ofApril]);
    await makePspEventMonths(db, new Date('2026-12-31T23:59:59Z'));
    expect((await tables()).slice(2)).toEqual([
      'psp_event_notes_2026_12',
      'psp_event_notes_2027_01',
    ]);
  });

  it('take what occurred in them, by UTC', async () => {
    await makePspEventMonths(db, march);
    await note('evt_first', new Date('2026-03-01T00:00:00Z'));
    await note('evt_last', new Date('2026-03-31T23:59:59.999Z'));
    await note('evt_next', new Date('2026-04-01T00:00:00Z'));
    await note('evt_before', new Date('2026-02-28T23:59:59Z'));
    expect(await places()).toEqual({
      evt_first: ofMarch,
      evt_last: ofMarch,
      evt_next: ofApril,
      evt_before: rest,
    });
  });

  it('are given what came before they were there', async () => {
    await note('evt_1', march);
    await note('evt_2', april);
    expect(await places()).toEqual({ evt_1: rest, evt_2: rest });
    await makePspEventMonths(db, march);
    expect(await places()).toEqual({ evt_1: ofMarch, evt_2: ofApril });
    expect(await note('evt_1', march)).toBe(false);
  });

  it('are not made where others would have to wait until much is moved', async () => {
    await db.pool.query(
      `insert into psp_event_notes (merchant_id, psp, event_id, month, type, kind, outcome, occurred_at, received_at)
       select 'mer_1', 'stripe', 'evt_' || n, '2026-03-01', 'x', 'not_used', 'nothing_to_do', $1, $1
       from generate_series(1, 10001) n`,
      [march],
    );
    await makePspEventMonths(db, march);
    expect(await tables()).toEqual([ofApril]);
    await db.pool.query(`delete from psp_event_notes where event_id = 'evt_1'`);
    await makePspEventMonths(db, march);
    expect(await tables()).toEqual([ofMarch, ofApril]);
  });

  it('are dropped once every note of them may be forgotten, the oldest first', async () => {
    await makePspEventMonths(db, march);
    await makePspEventMonths(db, new Date('2026-05-01T00:00:00Z'));
    await note('evt_1', new Date('2026-03-31T20:00:00Z'), {
      receivedAt: new Date('2026-04-07T23:59:59Z'),
    });
    await note('evt_2', april);
    expect(await dropPspEventMonth(db, new Date('2026-04-07T23:59:59Z'))).toBe(0);
    expect(await places()).toEqual({ evt_1: ofMarch, evt_2: ofApril });
    expect(await dropPspEventMonth(db, new Date('2026-04-08T00:00:00Z'))).toBe(1);
    expect(await dropPspEventMonth(db, new Date('2026-04-08T00:00:00Z'))).toBe(0);
    expect(await places()).toEqual({ evt_2: ofApril });
    const later = new Date('2026-06-08T00:00:00Z');
    expect(await dropPspEventMonth(db, later)).toBe(1);
    expect(await tables()).toEqual(['psp_event_notes_2026_05', 'psp_event_notes_2026_06']);
    expect(await dropPspEventMonth(db, later)).toBe(1);
    expect(await dropPspEventMonth(db, later)).toBe(0);
  });

  it('take nothing that would have to be kept for longer than they are', async () => {
    await makePspEventMonths(db, march);
    await note('evt_late', march, { receivedAt: new Date('2026-04-08T00:00:00Z') });
    expect(await places()).toEqual({ evt_late: rest });
    const late = db.pool.query(
      `insert into psp_event_notes (merchant_id, psp, event_id, month, type, kind, outcome, occurred_at, received_at)
       values ('mer_1', 'stripe', 'evt', '2026-03-01', 'x', 'not_used', 'nothing_to_do', $1, '2026-04-08T00:00:00Z')`,
      [march],
    );
    await expect(late).rejects.toMatchObject({ constraint: 'psp_event_notes_come_in_time' });
  });

  it('have nothing deleted, which the rest has', async () => {
    await makePspEventMonths(db, march);
    await note('evt_1', march);
    await note('evt_2', new Date('2026-02-01T00:00:00Z'));
    await note('evt_3', new Date('2026-02-02T00:00:00Z'));
    expect(await trimPspEvents(db, april, 1)).toBe(1);
    expect(await trimPspEvents(db, april, 5)).toBe(1);
    expect(await trimPspEvents(db, april, 5)).toBe(0);
    expect(await places()).toEqual({ evt_1: ofMarch });
  });

  it('are dropped by nobody who may not delete what PSPs told', async () => {
    await makePspEventMonths(db, march);
    const tried = db.transaction(async (tx) => {
      await tx.query({ name: 'act_as_api', text: 'set local role recoup_api' }, []);
      return dropPspEventMonth(tx, addMs(march, 1_000 * dayMs));
    });
    await expect(tried).rejects.toMatchObject({ code: '42501' });
  });

  it('are made and dropped by the worker’s role, which deletes the rest', async () => {
    await note('evt_1', new Date('2020-01-01T00:00:00Z'), { receivedAt: march });
    await db.transaction(async (tx) => {
      await tx.query({ name: 'act_as_worker', text: 'set local role recoup_worker' }, []);
      await makePspEventMonths(tx, march);
      expect(await dropPspEventMonth(tx, new Date('2026-04-08T00:00:00Z'))).toBe(1);
      expect(await trimPspEvents(tx, april, 5)).toBe(1);
    });
    expect(await tables()).toEqual([ofApril]);
    expect(await places()).toEqual({});
  });

  it('are left to the next run while somebody holds them, and nobody waits for long', async () => {
    await makePspEventMonths(db, march);
    await note('evt_1', march);
    const holder = await db.pool.connect();
    onTestFinished(() => holder.release());
    await holder.query('begin');
    await holder.query('select count(*) from psp_event_notes');
    await makePspEventMonths(db, new Date('2026-06-01T00:00:00Z'));
    expect(await dropPspEventMonth(db, new Date('2026-06-01T00:00:00Z'))).toBe(0);
    expect(await tables()).toEqual([ofMarch, ofApril]);
    await holder.query('commit');
    await makePspEventMonths(db, new Date('2026-06-01T00:00:00Z'));
    expect(await dropPspEventMonth(db, new Date('2026-06-01T00:00:00Z'))).toBe(1);
    expect(await tables()).toEqual([ofApril, 'psp_event_notes_2026_06', 'psp_event_notes_2026_07']);
  });
});

describe('a note', () => {
  it('is had once, also where two deliveries of the event are worked through at once', async () => {
    const both = await Promise.all([note('evt_1', march), note('evt_1', march)]);
    expect(both.toSorted()).toEqual([false, true]);
    const later = addMs(march, 3 * dayMs);
    expect(await note('evt_1', march, { receivedAt: later })).toBe(false);
  });

  it('of a contradiction is kept for good, beside those of the release before', async () => {
    await note('evt_1', march, { kind: 'charge_settled', outcome: 'contradiction' });
    await note('evt_2', march);
    expect(await places()).toEqual({ evt_1: 'psp_events', evt_2: rest });
    expect(await trimPspEvents(db, april, 5)).toBe(1);
    expect(await places()).toEqual({ evt_1: 'psp_events' });
  });

  it.each(['+012026-01-01T00:00:00Z', '2126-01-01T00:00:00Z'])('of %s is found', async (text) => {
    const occurredAt = new Date(text);
    expect(await note('evt_1', occurredAt, { receivedAt: march })).toBe(true);
    expect(await note('evt_1', occurredAt, { receivedAt: april })).toBe(false);
    const events = [{ eventId: 'evt_1', occurredAt }];
    const of = { merchantId: 'mer_1', psp: 'stripe', events } as const;
    expect(await createPspEventStore({ db, sealer }).findNoted(of)).toEqual(new Set(['evt_1']));
  });

  it('is found wherever it stands', async () => {
    await makePspEventMonths(db, march);
    await note('evt_month', march);
    await note('evt_rest', new Date('2020-01-01T00:00:00Z'));
    await note('evt_late', march, { receivedAt: new Date('2026-05-01T00:00:00Z') });
    await note('evt_kept', march, { kind: 'charge_settled', outcome: 'contradiction' });
    const events = [
      { eventId: 'evt_month', occurredAt: march },
      { eventId: 'evt_rest', occurredAt: new Date('2020-01-01T00:00:00Z') },
      { eventId: 'evt_late', occurredAt: march },
      { eventId: 'evt_kept', occurredAt: march },
      { eventId: 'evt_none', occurredAt: april },
    ];
    const of = { merchantId: 'mer_1', psp: 'stripe', events } as const;
    const found = await createPspEventStore({ db, sealer }).findNoted(of);
    expect([...found].toSorted()).toEqual(['evt_kept', 'evt_late', 'evt_month', 'evt_rest']);
  });
});
