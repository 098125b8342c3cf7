import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyStatements } from '../../../sdk/src/index.ts';
import type { Database } from '../../../src/store/database.ts';
import { makeStatements } from '../../../src/store/statements/make-statements.ts';
import { findStatement, listStatements } from '../../../src/store/statements/read-statements.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b', 'mer_idle']) await seedMerchant(db, merchantId);
  for (const merchantId of ['mer_a', 'mer_b']) {
    const of = { merchantId, invoiceId: 'in_1' };
    await seedPayment(db, { ...of, state: 'attempting' });
    await seedAttempt(db, { ...of, number: 1, state: 'declined', sequence: 1 });
    await seedAttempt(db, {
      ...of,
      number: 2,
      state: 'succeeded',
      sequence: 2,
      delivery: 'pending',
    });
    await db.pool.query(`update payments set state = 'recovered' where merchant_id = $1`, [
      merchantId,
    ]);
  }
});
afterAll(() => db.close());

const day = (n: number) => minute(n * 1_440);

async function makeAll(at: Date): Promise<number> {
  let made = 0;
  for (let step = 1; step > 0; made += step)
    ({ made: step } = await makeStatements(db, { at, after: '' }));
  return made;
}

const all = async (merchantId: string) =>
  (await listStatements(db, { merchantId, limit: 100 })).items;

it('states a day an hour after it is over, and what became known later on the day that it did', async () => {
  expect(await makeAll(new Date(day(1).getTime() + 59 * 60_000))).toBe(0);
  expect(await makeAll(new Date(day(1).getTime() + 60 * 60_000))).toBe(2);
  expect(await all('mer_idle')).toEqual([]);
  const sum = (count: number, amount: number) => ({ count, amount_minor: amount });
  expect(await all('mer_a')).toMatchObject([
    {
      version: 1,
      merchant_id: 'mer_a',
      day: '2026-03-01',
      previous_hash: '0'.repeat(64),
      accounts: [
        {
          psp: 'sandbox',
          connection_version: 1,
          currency: 'EUR',
          attempts: sum(2, 2_000),
          successes: sum(1, 1_000),
          recovered: sum(1, 1_000),
          announced: sum(1, 1_000),
          refunds: sum(0, 0),
          incidents: sum(0, 0),
        },
      ],
      events: { created: 2, delivered: 1, pending: 1, given_up: 0 },
      corrections: { accounts: [], events: [] },
    },
  ]);

  await db.pool.query(
    `update deliveries set state = 'delivered', delivered_at = $1, next_attempt_at = null
     where merchant_id = 'mer_a' and state = 'pending'`,
    [day(1)],
  );
  await db.pool.query(
    `insert into incidents (merchant_id, incident_id, kind, subject, psp, connection_version, charge,
       theirs, detail, opened_at)
     values ('mer_a', 'inc_1', 'missing_here', 's', 'sandbox', 1, 'ch_x',
       '{"state":"succeeded","amount_minor":700,"currency":"EUR"}', 'd', $1)`,
    [day(2)],
  );
  await db.pool.query(
    `update incidents set state = 'refunded', refund_id = 're_1', resolved_at = $1`,
    [day(2)],
  );
  expect(await makeAll(day(4))).toBe(4);
  const [, second, third, ...rest] = await all('mer_a');
  expect(rest).toEqual([]);
  expect(second).toMatchObject({
    day: '2026-03-02',
    accounts: [],
    events: { created: 0, delivered: 0, pending: 0, given_up: 0 },
    corrections: {
      accounts: [],
      events: [{ day: '2026-03-01', created: 0, delivered: 1, pending: -1, given_up: 0 }],
    },
  });
  expect(third).toMatchObject({
    day: '2026-03-03',
    accounts: [{ attempts: sum(0, 0), refunds: sum(1, 700), incidents: sum(1, 700) }],
    corrections: { accounts: [], events: [] },
  });
});

it('chains each to the one before, as the SDK verifies', async () => {
  const statements = await all('mer_a');
  const last = { day: '2026-03-03', hash: statements[2]?.hash };
  expect(await verifyStatements(statements)).toEqual({ count: 3, last, isAnchored: true });
  const found = await findStatement(db, { merchantId: 'mer_a', day: '2026-03-02' });
  expect(found).toEqual(statements[1]);
  expect(await verifyStatements(await all('mer_b'))).toMatchObject({ count: 3 });
});

it('is never changed', async () => {
  const change = db.pool.query(`update statements set body = '{}' where day = '2026-03-02'`);
  await expect(change).rejects.toThrow('a statement is never changed');
});

it.each(['2026-02-30', '2026-3-1', 'x', "'"])('has none of %s', async (text) => {
  expect(await findStatement(db, { merchantId: 'mer_a', day: text })).toBeUndefined();
});

it('pages by days', async () => {
  const page = await listStatements(db, { merchantId: 'mer_a', limit: 2 });
  expect(page).toMatchObject({ nextCursor: '2026-03-02' });
  const next = await listStatements(db, { merchantId: 'mer_a', limit: 2, cursor: '2026-03-02' });
  expect(next.items).toMatchObject([{ day: '2026-03-03' }]);
  expect(next).not.toHaveProperty('nextCursor');
  const wrong = listStatements(db, { merchantId: 'mer_a', limit: 2, cursor: 'yesterday' });
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
});
