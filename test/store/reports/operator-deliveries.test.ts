import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListDeliveries } from '../../../src/recovery/reports/operator-views.ts';
import type { Database } from '../../../src/store/database.ts';
import { encodeCursor } from '../../../src/store/page-cursor.ts';
import { listOperatorDeliveries } from '../../../src/store/reports/operator-deliveries.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedTry } from './seed.ts';

const merchantId = 'mer_a';
const states = ['delivered', 'pending', 'exhausted'] as const;
let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const id of [merchantId, 'mer_b']) {
    await seedMerchant(db, id);
    for (const invoiceId of ['in_1', 'in_2']) {
      await seedPayment(db, { merchantId: id, invoiceId });
      const base = invoiceId === 'in_1' ? 0 : 6;
      for (let number = 1; number <= 6; number += 1) {
        await seedAttempt(db, {
          merchantId: id,
          invoiceId,
          number,
          state: 'declined',
          sequence: base + number,
          delivery: states[number % 3] ?? 'pending',
        });
      }
    }
  }
});
afterAll(() => db.close());

async function readAll(input: Omit<ListDeliveries, 'limit' | 'merchantId'>, limit: number) {
  const seen: bigint[] = [];
  let cursor: string | undefined;
  do {
    const at = cursor === undefined ? {} : { cursor };
    const page = await listOperatorDeliveries(db, { merchantId, ...input, ...at, limit });
    seen.push(...page.items.map(({ sequence }) => sequence));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen.map(Number);
}

describe('the list of deliveries', () => {
  it.each([1, 5, 200])('gives a merchant’s, newest first, each once, by %d', async (limit) => {
    expect(await readAll({}, limit)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it.each([1, 3])('gives those of a state, of an invoice, or of both, by %d', async (limit) => {
    expect(await readAll({ status: 'exhausted' }, limit)).toEqual([11, 8, 5, 2]);
    expect(await readAll({ invoiceId: 'in_2' }, limit)).toEqual([12, 11, 10, 9, 8, 7]);
    expect(await readAll({ invoiceId: 'in_1', status: 'pending' }, limit)).toEqual([4, 1]);
    expect(await readAll({ invoiceId: 'in_none' }, limit)).toEqual([]);
  });

  it('shows a delivery with its tries in order', async () => {
    const eventId = 'evt_att_in_1_4';
    await seedTry(db, { merchantId, eventId, number: 2, at: minute(50) });
    const { items } = await listOperatorDeliveries(db, {
      merchantId,
      invoiceId: 'in_1',
      status: 'pending',
      limit: 1,
    });
    const sent = { status: 500, error: 'server_error: 500', durationMs: 12 };
    expect(items).toEqual([
      {
        eventId,
        type: 'retry_result',
        invoiceId: 'in_1',
        sequence: 4n,
        status: 'pending',
        tries: 1,
        createdAt: minute(4),
        nextAttemptAt: minute(724),
        lastStatus: 500,
        lastError: 'server_error: 500',
        log: [
          { number: 1, sentAt: minute(4), ...sent },
          { number: 2, sentAt: minute(50), ...sent },
        ],
      },
    ]);
  });

  it('shows the latest fifty tries of one that was replayed again and again', async () => {
    const eventId = 'evt_att_in_1_5';
    for (let number = 2; number <= 60; number += 1) {
      await seedTry(db, { merchantId, eventId, number, at: minute(number) });
    }
    const page = await listOperatorDeliveries(db, { merchantId, invoiceId: 'in_1', limit: 200 });
    const log = page.items.find((item) => item.eventId === eventId)?.log ?? [];
    expect(log.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
  });
});

describe('the place of a page', () => {
  it('holds among events of one moment, which stay in the order of their numbers', async () => {
    await db.pool.query(`update deliveries set created_at = $1 where merchant_id = 'mer_b'`, [
      minute(1),
    ]);
    const seen: bigint[] = [];
    let cursor: string | undefined;
    do {
      const at = cursor === undefined ? {} : { cursor };
      const page = await listOperatorDeliveries(db, { merchantId: 'mer_b', ...at, limit: 5 });
      seen.push(...page.items.map(({ sequence }) => sequence));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.map(Number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it.each(['x', '-1', '1.5', '9'.repeat(19), ''])('is refused at number %j', async (sequence) => {
    const cursor = encodeCursor([minute(1).toISOString(), sequence]);
    const refusal = listOperatorDeliveries(db, { merchantId, cursor, limit: 5 });
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
