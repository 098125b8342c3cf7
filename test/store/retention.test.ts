import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { trimDeliveryTries, trimPspEvents, trimRequests } from '../../src/store/retention.ts';
import { openReportDatabase } from './reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedTry } from './reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_1', 'mer_2']) {
    await seedMerchant(db, merchantId);
    await seedPayment(db, { merchantId, invoiceId: 'inv_1' });
    await seedAttempt(db, {
      merchantId,
      invoiceId: 'inv_1',
      number: 1,
      state: 'declined',
      sequence: 1,
    });
  }
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query('truncate requests, delivery_tries');
});

async function seedRequest(merchantId: string, sequence: number, appliedAt?: Date): Promise<void> {
  await db.pool.query(
    `insert into requests (merchant_id, sequence, uuid, kind, body, state, received_at, applied_at,
                           next_attempt_at)
     values ($1, $2, gen_random_uuid(), 'payment', '{}', $3, $4, $5, $6)`,
    [
      merchantId,
      sequence,
      appliedAt === undefined ? 'accepted' : 'applied',
      minute(0),
      appliedAt,
      appliedAt === undefined ? minute(0) : null,
    ],
  );
}

async function left(text: string): Promise<unknown[]> {
  const { rows } = await db.pool.query({ text, rowMode: 'array' });
  return rows.map((row: unknown[]) => row.join(' '));
}

describe('trimming requests', () => {
  const rest = () => left('select merchant_id, sequence from requests order by 1, 2');

  it('removes those applied before the time, of every merchant', async () => {
    await seedRequest('mer_1', 1, minute(9));
    await seedRequest('mer_1', 2, minute(10));
    await seedRequest('mer_2', 3, minute(1));
    expect(await trimRequests(db, minute(10), 100)).toBe(2);
    expect(await rest()).toEqual(['mer_1 2']);
  });

  it('keeps one that is still to be applied, however old', async () => {
    await seedRequest('mer_1', 1);
    expect(await trimRequests(db, minute(1_000_000), 100)).toBe(0);
    expect(await rest()).toEqual(['mer_1 1']);
  });

  it('removes no more at a time than it is asked to', async () => {
    for (let sequence = 1; sequence <= 5; sequence += 1) {
      await seedRequest('mer_1', sequence, minute(sequence));
    }
    expect(await trimRequests(db, minute(100), 3)).toBe(3);
    expect(await trimRequests(db, minute(100), 3)).toBe(2);
    expect(await trimRequests(db, minute(100), 3)).toBe(0);
  });

  it('leaves a row that another transaction holds to the next run', async () => {
    await seedRequest('mer_1', 1, minute(1));
    await seedRequest('mer_1', 2, minute(1));
    await db.transaction(async (tx) => {
      const hold = { name: 'hold', text: 'select from requests where sequence = 1 for update' };
      await tx.query(hold, []);
      expect(await trimRequests(db, minute(100), 100)).toBe(1);
    });
    expect(await rest()).toEqual(['mer_1 1']);
  });
});

describe('trimming the log of sends', () => {
  it('removes those sent before the time, and keeps deliveries and events', async () => {
    const tryOf = (merchantId: string, number: number) => ({
      merchantId,
      eventId: 'evt_att_inv_1_1',
      number,
      at: minute(number),
    });
    for (const number of [1, 2, 3]) await seedTry(db, tryOf('mer_1', number));
    await seedTry(db, tryOf('mer_2', 1));
    expect(await trimDeliveryTries(db, minute(3), 2)).toBe(2);
    expect(await trimDeliveryTries(db, minute(3), 2)).toBe(1);
    expect(await trimDeliveryTries(db, minute(3), 2)).toBe(0);
    expect(await left('select merchant_id, number from delivery_tries')).toEqual(['mer_1 3']);
    expect(await left('select count(*) from deliveries')).toEqual(['2']);
    expect(await left('select count(*) from events')).toEqual(['2']);
  });
});

describe('trimming what servers answered', () => {
  const answered = (merchantId: string, at: Date) =>
    db.pool.query(
      `update deliveries set last_sent_at = $2, last_duration_ms = 1, last_status = 500, last_error = 'HTTP 500', last_answer = 'for jane'
       where merchant_id = $1`,
      [merchantId, at],
    );
  const rest = () =>
    left('select merchant_id, last_status, last_error, last_answer from deliveries order by 1');

  it('removes the answers to last sends of before the time, and keeps how those went', async () => {
    await answered('mer_1', minute(2));
    await answered('mer_2', minute(3));
    expect(await trimDeliveryTries(db, minute(3), 5)).toBe(1);
    expect(await trimDeliveryTries(db, minute(3), 5)).toBe(0);
    expect(await rest()).toEqual(['mer_1 500 HTTP 500 ', 'mer_2 500 HTTP 500 for jane']);
  });

  it('of further endpoints too, and no more at a time than it is asked to', async () => {
    await answered('mer_1', minute(2));
    await db.pool.query(
      `insert into endpoints (merchant_id, endpoint_id, url, event_types, quick_sends, auth_type, header_names, created_at, updated_at)
       values ('mer_1', 'ept_1', 'https://acme.example', '{retry_result}', false, 'none', '{}', $1, $1)`,
      [minute(0)],
    );
    await db.pool.query(
      `insert into endpoint_deliveries (merchant_id, event_id, endpoint_id, state, tries, last_sent_at, last_duration_ms, last_answer, created_at)
       select merchant_id, event_id, 'ept_1', 'exhausted', 1, $1, 1, 'for jane', created_at from deliveries where merchant_id = 'mer_1'`,
      [minute(2)],
    );
    expect(await trimDeliveryTries(db, minute(3), 1)).toBe(1);
    expect(await trimDeliveryTries(db, minute(3), 1)).toBe(1);
    expect(await trimDeliveryTries(db, minute(3), 1)).toBe(0);
    expect(await left('select state, last_answer from endpoint_deliveries')).toEqual([
      'exhausted ',
    ]);
  });

  it('leaves those of a merchant that moves where they are', async () => {
    await answered('mer_1', minute(2));
    await db.pool.query(
      `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
       values ('mer_1', 'mov_1', 'fenced', 'b', 'http://b', 'http://b', $1)`,
      [minute(1)],
    );
    expect(await trimDeliveryTries(db, minute(3), 5)).toBe(0);
    await db.pool.query('delete from merchant_moves');
    expect(await trimDeliveryTries(db, minute(3), 5)).toBe(1);
  });
});

describe('trimming the notes of PSPs’ events', () => {
  it('removes those that came before the time, but no dispute and no contradiction', async () => {
    await db.pool.query(`insert into data_keys values ('mer_1', 1, $1, $2)`, [
      Buffer.alloc(40),
      minute(0),
    ]);
    const note = (id: string, at: number, kind = 'not_used', outcome = 'nothing_to_do') =>
      db.pool.query(
        `insert into psp_events (merchant_id, psp, event_id, type, kind, outcome, occurred_at,
           received_at, key_version, sealed_body)
         values ('mer_1', 'stripe', $1, 'test', $2, $3, $4, $4, $5, $6)`,
        [
          id,
          kind,
          outcome,
          minute(at),
          ...(kind === 'dispute' ? [1, Buffer.alloc(40)] : [null, null]),
        ],
      );
    await note('evt_1', 1);
    await note('evt_2', 2);
    await note('evt_3', 3);
    await note('evt_dispute', 1, 'dispute', 'dispute_kept');
    await note('evt_contradiction', 1, 'charge_settled', 'contradiction');
    expect(await trimPspEvents(db, minute(3), 1)).toBe(1);
    expect(await trimPspEvents(db, minute(3), 5)).toBe(1);
    expect(await trimPspEvents(db, minute(3), 5)).toBe(0);
    expect(await left('select event_id from psp_events order by 1')).toEqual(
      ['evt_3', 'evt_contradiction', 'evt_dispute'].toSorted(),
    );
  });
});
