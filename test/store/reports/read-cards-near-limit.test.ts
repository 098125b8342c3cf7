import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { readNetworkPressure } from '../../../src/store/reports/overview/read-network-pressure.ts';
import { readCardsNearLimit } from '../../../src/store/reports/read-cards-near-limit.ts';
import { countCardLimits } from '../../../src/store/rollups/count-card-limits.ts';
import { openReportDatabase } from './report-database.ts';
import { seedMerchant } from './seed.ts';

const at = new Date('2026-06-30T12:00:00.000Z');
let db: Database;

/** So many charges of a card, a day from one to the next, the last one a day before `at`. */
async function seedCharges(
  merchantId: string,
  card: string,
  count: number,
  change: { network?: string; outcome?: string; initiator?: string; daysAgo?: number } = {},
): Promise<void> {
  const { network = 'visa', outcome = 'declined', initiator = 'mit', daysAgo = 1 } = change;
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
       initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
     select $1, $2 || $3 || $4 || $5 || n, $2, 'sandbox', 'reported', $3, $5, 'pan', 'pm_' || n,
       'in_' || n, 1, 'USD', $4, $6::timestamptz - make_interval(days => $7 + n)
     from generate_series(0, $8 - 1) n`,
    [merchantId, card, network, outcome, initiator, at, daysAgo, count],
  );
}

beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  await seedCharges('mer_a', 'k:near', 11);
  await seedCharges('mer_a', 'k:far', 10);
  await seedCharges('mer_a', 'k:apart', 9);
  await seedCharges('mer_a', 'k:apart', 9, { initiator: 'cit' });
  await seedCharges('mer_a', 'k:paid', 15, { outcome: 'approved' });
  await seedCharges('mer_a', 'k:old', 20, { daysAgo: 25 });
  await seedCharges('mer_b', 'k:full', 21);
  await seedCharges('mer_b', 'k:master', 18, { network: 'mastercard' });
  await seedCharges('mer_b', 'k:elo', 28, { network: 'elo' });
});
afterAll(() => db.close());

const list = (
  input: { merchantIds?: readonly string[]; cursor?: string; limit?: number; at?: Date } = {},
) => readCardsNearLimit(db, { limit: 50, at, ...input });

it('are those with half of the limit used, the least left first', async () => {
  const { items } = await list();
  expect(items.map(({ card, tries, most }) => [card, tries, most])).toEqual([
    ['k:full', 20, 20],
    ['k:near', 10, 20],
    ['k:master', 18, 35],
  ]);
  expect(items[1]).toMatchObject({
    merchantId: 'mer_a',
    counter: 'mit pan',
    invoiceId: 'in_0',
    lastAt: new Date('2026-06-29T12:00:00.000Z'),
    firstAt: new Date('2026-06-19T12:00:00.000Z'),
  });
  expect(items[2]?.counter).toBeUndefined();
});

it('are of one merchant where one is named', async () => {
  const { items } = await list({ merchantIds: ['mer_a'] });
  expect(items.map(({ card }) => card)).toEqual(['k:near']);
});

it('are none of a merchant that has moved to another cell', async () => {
  await db.pool.query(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at, moved_at)
     values ('mer_b', 'mov_1', 'moved', 'cell_2', 'http://127.0.0.1:1', 'http://127.0.0.1:2', now(), now())`,
  );
  expect((await list()).items.map(({ card }) => card)).toEqual(['k:near']);
  await db.pool.query('delete from merchant_moves');
});

it('come in pages that keep the time of the first', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const later = new Date('2027-01-01T00:00:00.000Z');
    const input = cursor === undefined ? { at } : { at: later, cursor };
    const page = await readCardsNearLimit(db, { limit: 1, ...input });
    seen.push(...page.items.map(({ card }) => card));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(['k:full', 'k:near', 'k:master']);
});

it('are not listed for a cursor that another list gave', async () => {
  const text = JSON.stringify([at.toISOString(), 'x', 'mer_a', 'k', 'a', '']);
  const cursor = Buffer.from(text).toString('base64url');
  await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' });
});

it('are counted for the overview, again only once the last count is old', async () => {
  const pressure = async (...merchantIds: string[]) =>
    (await readNetworkPressure(db, merchantIds.length === 0 ? {} : { merchantIds })).networks;
  const listed = (await list()).items.length;
  expect(await readNetworkPressure(db, {})).toEqual({ networks: [] });
  await countCardLimits(db, { at, oldestMs: minuteMs });
  const all = await pressure();
  expect(all).toEqual([
    { network: 'visa', near: 2, spent: 1 },
    { network: 'mastercard', near: 1, spent: 0 },
  ]);
  expect(all.reduce((sum, { near }) => sum + near, 0)).toBe(listed);
  expect(await pressure('mer_a')).toEqual([{ network: 'visa', near: 1, spent: 0 }]);

  await seedCharges('mer_a', 'k:new', 12, { daysAgo: -1 });
  await seedCharges('mer_a', 'k:reported_late', 12);
  const later = addMs(at, 2 * dayMs);
  const cards = async () => (await list({ at: later })).items.map(({ card }) => card);
  expect(await cards()).toEqual(['k:full', 'k:new', 'k:near', 'k:master']);
  await countCardLimits(db, { at: addMs(at, minuteMs), oldestMs: minuteMs });
  expect(await pressure('mer_a')).toEqual([{ network: 'visa', near: 1, spent: 0 }]);
  await countCardLimits(db, { at: addMs(at, 2 * minuteMs), oldestMs: minuteMs });
  expect(await pressure('mer_a')).toEqual([{ network: 'visa', near: 3, spent: 0 }]);
  expect(await cards()).toContain('k:reported_late');
  // A month later nothing is left of it, although nothing changed.
  await countCardLimits(db, { at: addMs(at, 40 * dayMs), oldestMs: minuteMs });
  expect(await readNetworkPressure(db, {})).toEqual({
    asOf: addMs(at, 40 * dayMs),
    networks: [],
  });
});
