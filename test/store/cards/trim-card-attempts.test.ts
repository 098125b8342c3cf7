import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { limits } from '../../../src/domain/limits.ts';
import { trimCardAttempts } from '../../../src/store/cards/trim-card-attempts.ts';
import type { Database } from '../../../src/store/database.ts';
import { checkEverything } from '../../kits/check-everything.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_1');
  await seedPayment(db, { merchantId: 'mer_1', invoiceId: 'in_over', state: 'exhausted' });
  await seedPayment(db, { merchantId: 'mer_1', invoiceId: 'in_open' });
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query('truncate card_attempts');
  await db.pool.query("update history_trims set through_at = '-infinity'");
});

interface Kept {
  readonly ref: string;
  readonly at: Date;
  readonly invoice?: string;
  readonly outcome?: 'sent' | 'approved' | 'declined';
  readonly hard?: boolean;
  readonly advice?: string;
}

async function keep({ ref, at, ...more }: Kept): Promise<void> {
  const { invoice = 'in_over', outcome = 'declined', hard = false, advice } = more;
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
       credential, payment_method_id, invoice_id, amount_minor, currency, outcome, advice_code,
       hard_decline, at)
     values ('mer_1', $1, 'sandbox:pm_1', 'sandbox', 'own', 'visa', 'mit', 'pan', 'pm_1', $2, 1000, 'EUR',
       $3, $4, $5, $6)`,
    [ref, invoice, outcome, advice, hard, at],
  );
}

async function left(): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ ref: string }>(
    'select charge_ref as ref from card_attempts order by 1',
  );
  return rows.map(({ ref }) => ref);
}

async function trimAll(before: Date): Promise<number> {
  for (let steps = 1; ; steps += 1) if (!(await trimCardAttempts(db, before))) return steps;
}

it('removes plain declines from before the time, and nothing that a rule may count still', async () => {
  const before = minute(600);
  await keep({ ref: 'plain', at: minute(0) });
  await keep({ ref: 'just old', at: addMs(before, -1) });
  await keep({ ref: 'of an open payment', at: minute(1), invoice: 'in_open' });
  await keep({ ref: 'of no payment', at: minute(2), invoice: 'in_unknown' });
  await keep({ ref: 'hard', at: minute(3), hard: true });
  await keep({ ref: 'advised', at: minute(3), advice: '24' });
  await keep({ ref: 'approved', at: minute(4), outcome: 'approved' });
  await keep({ ref: 'on its way', at: minute(4), outcome: 'sent' });
  await keep({ ref: 'young', at: before });
  expect(await trimAll(before)).toBe(40);
  expect(await left()).toEqual(
    ['of an open payment', 'hard', 'advised', 'approved', 'on its way', 'young'].toSorted(),
  );
});

it('goes on where it came to, and leaves what was trimmed past', async () => {
  await keep({ ref: 'first', at: minute(0) });
  expect(await trimAll(minute(60))).toBe(4);
  await keep({ ref: 'reported late', at: minute(30) });
  await keep({ ref: 'next', at: minute(60) });
  expect(await trimCardAttempts(db, minute(60))).toBe(false);
  expect(await trimAll(minute(75))).toBe(1);
  expect(await left()).toEqual(['reported late']);
});

it('has nothing to do without charges', async () => {
  expect(await trimCardAttempts(db, minute(0))).toBe(false);
});

it('passes over a decline that somebody holds', async () => {
  await keep({ ref: 'held', at: minute(0) });
  await keep({ ref: 'free', at: minute(0) });
  const holder = await db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(`select from card_attempts where charge_ref = 'held' for update`);
    await trimAll(minute(1));
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect(await left()).toEqual(['held']);
});

it('breaks no promise of the check, which misses a decline that is younger', async () => {
  await seedAttempt(db, {
    merchantId: 'mer_1',
    invoiceId: 'in_over',
    number: 1,
    state: 'declined',
    sequence: 1,
  });
  const { rows } = await db.pool.query<{ at: Date }>('select at from card_attempts');
  const at = rows[0]?.at ?? minute(0);
  const broken = async (now: Date) =>
    (await checkEverything(db, now)).find(({ name }) => name === 'charges_are_counted')?.breaches;
  const trimmedAt = addMs(at, limits.historyMs + hourMs);
  expect(await broken(trimmedAt)).toBe(0);
  await trimAll(addMs(trimmedAt, -limits.historyMs));
  expect(await left()).toEqual([]);
  expect(await broken(trimmedAt)).toBe(0);
  expect(await broken(addMs(at, limits.historyMs - 3 * dayMs))).toBe(1);
});
