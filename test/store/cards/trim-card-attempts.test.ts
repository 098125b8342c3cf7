import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { limits } from '../../../src/domain/limits.ts';
import { present } from '../../../src/domain/present.ts';
import { readCards } from '../../../src/store/cards/read-cards.ts';
import { trimCardAttempts } from '../../../src/store/cards/trim-card-attempts.ts';
import type { Database } from '../../../src/store/database.ts';
import { checkEverything } from '../../kits/check-everything.ts';
import { asLegacyCharges } from '../../kits/legacy-charges.ts';
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
  readonly method?: string;
  readonly key?: string;
}

async function keep({ ref, at, ...more }: Kept): Promise<void> {
  const { invoice = 'in_over', outcome = 'declined', hard = false, advice } = more;
  const { method = 'pm_1', key = `sandbox:${method}` } = more;
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
       credential, payment_method_id, invoice_id, amount_minor, currency, outcome, advice_code,
       hard_decline, at, is_legacy)
     values ('mer_1', $1, $7, 'sandbox', 'own', 'visa', 'mit', 'pan', $8, $2, 1000, 'EUR',
       $3, $4, $5, $6, true)`,
    [ref, invoice, outcome, advice, hard, at, key, method],
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
  // The first quarter of an hour; the next one, behind which nothing comes for hours; and the last moment.
  expect(await trimAll(before)).toBe(3);
  expect(await left()).toEqual(
    ['of an open payment', 'hard', 'advised', 'approved', 'on its way', 'young'].toSorted(),
  );
});

it('goes on where it came to, and leaves what was trimmed past', async () => {
  await keep({ ref: 'first', at: minute(0) });
  expect(await trimAll(minute(60))).toBe(2);
  await keep({ ref: 'reported late', at: minute(30) });
  await keep({ ref: 'next', at: minute(60) });
  expect(await trimCardAttempts(db, minute(60))).toBe(false);
  expect(await trimAll(minute(75))).toBe(1);
  expect(await left()).toEqual(['reported late']);
});

it('passes over years without a charge at once', async () => {
  await keep({ ref: 'of long ago', at: new Date('1970-01-01T00:00:00Z') });
  await keep({ ref: 'hard', at: new Date('1998-07-03T10:00:00Z'), hard: true });
  await keep({ ref: 'of the last days', at: minute(0) });
  await keep({ ref: 'young', at: minute(600) });
  expect(await trimAll(minute(600))).toBeLessThan(10);
  expect(await left()).toEqual(['hard', 'young']);
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
  for (const text of asLegacyCharges) await db.pool.query(text);
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

it('keeps of approvals the last one of a card and a method', async () => {
  const approve = (ref: string, at: number, more: Partial<Kept> = {}) =>
    keep({ ref, at: minute(at), outcome: 'approved', ...more });
  await approve('first', 0);
  await approve('second', 1);
  await approve('third', 500);
  await approve('of the same moment', 500);
  await approve('of an open payment', 2, { invoice: 'in_open' });
  await approve('by another method', 3, { method: 'pm_2', key: 'sandbox:pm_1' });
  await approve('of another card', 4, { method: 'pm_3' });
  await approve('younger', 700);
  await trimAll(minute(600));
  expect(await left()).toEqual(
    ['third', 'of an open payment', 'by another method', 'of another card', 'younger'].toSorted(),
  );
});

it('changes nothing that is judged', async () => {
  const before = minute(0);
  const charge = fc.record({
    ageMs: fc.oneof(
      fc.integer({ min: 1, max: 120 }).map((minutes) => minutes * minuteMs),
      fc.integer({ min: 1, max: 4_000 }).map((days) => days * dayMs),
      fc.integer({ min: -80, max: 0 }).map((days) => days * dayMs),
    ),
    outcome: fc.constantFrom<Kept['outcome']>('approved', 'approved', 'declined'),
    hard: fc.boolean(),
    advice: fc.constantFrom(undefined, undefined, '24'),
    method: fc.constantFrom('pm_1', 'pm_2', 'pm_3'),
    key: fc.constantFrom(undefined, 'fingerprint:sandbox:f'),
    invoice: fc.constantFrom('in_over', 'in_open'),
  });
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp, state, fingerprint,
       fingerprint_at, created_at, updated_at)
     values ('mer_1', 'pm_1', 'c', 'sandbox', 'active', 'f', $1, $1, $1),
            ('mer_1', 'pm_2', 'c', 'sandbox', 'active', 'f', $1, $1, $1)
     on conflict do nothing`,
    [before],
  );
  const judged = async () => {
    const at = addMs(before, limits.historyMs);
    const asked = ['pm_1', 'pm_2', 'pm_3'].map((paymentMethodId) => ({
      ...{ merchantId: 'mer_1', invoiceId: 'in_open', psp: 'sandbox', paymentMethodId, at },
    }));
    const cards = await readCards(db, asked);
    return cards.map((card) => ({
      key: card?.cardKey,
      ids: card?.attempts.map(({ id }) => id).toSorted(),
    }));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 25 }), async (charges) => {
      await db.pool.query('truncate card_attempts');
      await db.pool.query("update history_trims set through_at = '-infinity'");
      for (const [index, { ageMs, outcome, hard, advice, key, ...more }] of charges.entries()) {
        await keep({
          ...more,
          ref: `charge ${index}`,
          at: addMs(before, -ageMs),
          hard: hard && outcome === 'declined',
          ...present({ outcome, key, advice: outcome === 'declined' ? advice : undefined }),
        });
      }
      const asJudged = await judged();
      await trimAll(before);
      expect(await judged()).toEqual(asJudged);
    }),
    { numRuns: 25 },
  );
});
