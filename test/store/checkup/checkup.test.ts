import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import { readDatabase } from '../../../src/store/checkup/read-database.ts';
import { listUnanswered } from '../../../src/store/checkup/read-unanswered.ts';
import {
  countUnresolved,
  listFailingDeliveries,
  listLate,
} from '../../../src/store/checkup/read-work.ts';
import type { Database } from '../../../src/store/database.ts';
import { followEvents } from '../../../src/store/reports/follow-events.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
});
afterAll(() => db.close());

test('the database tells its version, its clock and its migrations', async () => {
  const elapsedMs = () => performance.now();
  const found = await readDatabase({ db, elapsedMs, machine: { now: () => new Date() } });
  expect(found.serverVersion).toMatch(/^\d+\.\d+$/);
  expect(Math.abs(found.clockAheadMs)).toBeLessThan(minuteMs);
  expect([found.missingMigrations, found.unknownMigrations]).toEqual([[], []]);

  const slow = { now: () => addMs(new Date(), -10 * minuteMs) };
  const ahead = await readDatabase({ db, elapsedMs, machine: slow });
  expect(Math.round(ahead.clockAheadMs / minuteMs)).toBe(10);

  await db.pool.query(
    `update migrations set name = '9999_future.sql', kind = 'expand' where name = $1`,
    ['0014_disputes.sql'],
  );
  expect(await readDatabase({ db, elapsedMs, machine: slow })).toMatchObject({
    missingMigrations: ['0014_disputes.sql'],
    unknownMigrations: [],
    addedMigrations: ['9999_future.sql'],
  });
  const future = (set: string) =>
    db.pool.query(`update migrations set ${set} where name = '9999_future.sql'`);
  await future("kind = 'contract'");
  expect(await readDatabase({ db, elapsedMs, machine: slow })).toMatchObject({
    unknownMigrations: ['9999_future.sql'],
    addedMigrations: [],
  });
  await future("name = '0014_disputes.sql', kind = 'expand'");
});

test('work that is late is counted, and that which is not is not', async () => {
  await seedMerchant(db, 'mer_late');
  await seedPayment(db, { merchantId: 'mer_late', invoiceId: 'in_1' });
  expect(await listLate(db, minute(100))).toEqual([]);
  expect(await listLate(db, minute(101))).toEqual([
    { table: 'payments', count: 1, oldestDueAt: minute(100) },
  ]);
  expect(await countUnresolved(db)).toBe(0);
  await seedAttempt(db, {
    merchantId: 'mer_late',
    invoiceId: 'in_1',
    number: 3,
    state: 'unknown',
  });
  expect(await countUnresolved(db)).toBe(1);
});

test('an event log is followed from its end, and no delivery is touched', async () => {
  const merchantId = 'mer_late';
  expect(await followEvents(db, { merchantId, limit: 10 })).toEqual({ items: [], cursor: '0' });
  const of = { merchantId, invoiceId: 'in_1', state: 'declined' } as const;
  await seedAttempt(db, { ...of, number: 1, sequence: 1, delivery: 'pending' });
  await seedAttempt(db, { ...of, number: 2, sequence: 2, delivery: 'exhausted' });
  const before = await db.pool.query('select * from deliveries order by event_id');
  const page = await followEvents(db, { merchantId, after: '0', limit: 1 });
  expect(page).toMatchObject({
    items: [
      {
        eventId: 'evt_att_in_1_1',
        sequence: '1',
        payload: '{"amount_collected":10,"currency":"EUR","success":false}',
      },
    ],
    cursor: '1',
  });
  const rest = await followEvents(db, { merchantId, after: '1', limit: 10 });
  expect(rest.items.map(({ eventId }) => eventId)).toEqual(['evt_att_in_1_2']);
  expect(await followEvents(db, { merchantId, after: '2', limit: 10 })).toEqual({
    items: [],
    cursor: '2',
  });
  expect(await followEvents(db, { merchantId, limit: 10 })).toEqual({ items: [], cursor: '2' });
  const after = await db.pool.query('select * from deliveries order by event_id');
  expect(after.rows).toEqual(before.rows);
});

test('an event log is followed in the order of its numbers, page after page', async () => {
  const merchantId = 'mer_long';
  await seedMerchant(db, merchantId);
  await seedPayment(db, { merchantId, invoiceId: 'in_long' });
  for (let number = 1; number <= 12; number += 1) {
    await seedAttempt(db, {
      merchantId,
      invoiceId: 'in_long',
      state: 'declined',
      number,
      sequence: number,
    });
  }
  const read: number[] = [];
  for (let after = '0'; read.length < 12; ) {
    const { items, cursor } = await followEvents(db, { merchantId, after, limit: 5 });
    expect(items).not.toEqual([]);
    read.push(...items.map(({ sequence }) => Number(sequence)));
    after = cursor;
  }
  expect(read).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('webhooks that fail or were given up are told of by merchant', async () => {
  expect(await listFailingDeliveries(db, minute(0))).toEqual([
    { merchantId: 'mer_late', failing: 1, exhausted: 1, lastError: 'server_error: 500' },
  ]);
  const [only] = await listFailingDeliveries(db, new Date('2100-01-01T00:00:00Z'));
  expect(only).toMatchObject({ failing: 1, exhausted: 0 });
});

test('a webhook was given up when it was sent for the last time, not when it was created', async () => {
  const day = (days: number) => addMs(minute(0), days * dayMs);
  await db.pool.query(
    `update deliveries set last_sent_at = $1, last_duration_ms = 5
     where merchant_id = 'mer_late' and state = 'exhausted'`,
    [day(7)],
  );
  const [inTheWeek] = await listFailingDeliveries(db, day(6));
  expect(inTheWeek).toMatchObject({ failing: 1, exhausted: 1 });
  const [later] = await listFailingDeliveries(db, day(8));
  expect(later).toMatchObject({ failing: 1, exhausted: 0 });
});

test('webhooks of a further endpoint are told of as long as it is there', async () => {
  const late = async () => {
    const found = await listFailingDeliveries(db, new Date('2100-01-01T00:00:00Z'));
    return found.find((row) => row.merchantId === 'mer_late')?.failing;
  };
  await db.pool.query(
    `insert into endpoints (merchant_id, endpoint_id, url, event_types, quick_sends, auth_type,
       header_names, created_at, updated_at)
     values ('mer_late', 'ept_1', 'https://one.example', '{incident}', false, 'none', '{}', $1, $1)`,
    [minute(0)],
  );
  await db.pool.query(
    `insert into endpoint_deliveries (merchant_id, event_id, endpoint_id, tries, last_error,
       next_attempt_at, created_at)
     select merchant_id, event_id, 'ept_1', 1, 'server_error: 500', created_at, created_at
     from deliveries where merchant_id = 'mer_late' limit 1`,
  );
  expect(await late()).toBe(2);
  await db.pool.query('update endpoints set removed_at = $1', [minute(1)]);
  expect(await late()).toBe(1);
});

test('payments wait for a server whose last answers to the final check were of no use', async () => {
  const unanswered = (dueBy: Date) => listUnanswered(db, { dueBy, tries: 4 });
  const answers: Readonly<Record<string, readonly [number, object]>> = {
    in_401: [4, { cause: 'unauthorized', detail: 'The server answered 401.' }],
    in_429: [9, { status: 429 }],
    in_refused: [5, { retry: true, refused: 'the answered amount is zero' }],
    in_passing: [3, { cause: 'timeout', detail: 'No answer in time.' }],
    in_psp: [6, { retry: true, reason: 'open' }],
  };
  for (const merchantId of ['mer_mute', 'mer_moved']) {
    await seedMerchant(db, merchantId);
    let number = 0;
    for (const [invoiceId, [postponements, answer]] of Object.entries(answers)) {
      number += 1;
      await seedPayment(db, { merchantId, invoiceId, postponements, next_attempt_at: minute(300) });
      const of = { merchantId, invoiceId, number: number + 10, state: 'not_attempted' } as const;
      await seedAttempt(db, { ...of, number });
      await seedAttempt(db, of);
      await db.pool.query(
        `update attempts set check_answer = $3
         where merchant_id = $1 and invoice_id = $2 and number > 10`,
        [merchantId, invoiceId, answer],
      );
    }
  }
  await db.pool.query(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
     values ('mer_moved', 'mov_1', 'draining', 'cell_2', 'http://b', 'http://b', $1)`,
    [minute(0)],
  );
  expect(await unanswered(minute(299))).toEqual([]);
  expect(await unanswered(minute(300))).toEqual([
    {
      merchantId: 'mer_mute',
      payments: 3,
      lastAskedAt: minute(13),
      lastAnswer: 'the answered amount is zero',
    },
  ]);
  await db.pool.query(`delete from attempts where invoice_id = 'in_refused' and number > 10`);
  expect(await unanswered(minute(300))).toMatchObject([
    { payments: 2, lastAskedAt: minute(12), lastAnswer: 'The server answered 429.' },
  ]);
});
