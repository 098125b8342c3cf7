import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureUplift } from '../../../src/recovery/admin/measure-uplift.ts';
import type { UpliftGroup, UpliftSums } from '../../../src/recovery/uplift.ts';
import type { Database } from '../../../src/store/database.ts';
import { sumUplift } from '../../../src/store/reports/uplift.ts';
import { rollUpUplift } from '../../../src/store/rollups/roll-up.ts';
import { withCompared } from '../../kits/uplift-groups.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from './seed.ts';

let db: Database;
const day = (days: number) => minute(days * 24 * 60);

interface Case {
  readonly merchantId?: string;
  readonly invoiceId: string;
  readonly decision?: object;
  readonly [column: string]: unknown;
}

async function payment({ merchantId = 'mer_a', ...columns }: Case): Promise<void> {
  await seedPayment(db, { merchantId, ...columns });
}

/** Recovered on a day; `arm` stands in its attempt's decision. */
async function recovered(invoiceId: string, onDay: number, arm: string): Promise<void> {
  await seedAttempt(db, { merchantId: 'mer_a', invoiceId, number: 1, state: 'succeeded' });
  await db.pool.query(`update attempts set ended_at = $2, decision = $3 where invoice_id = $1`, [
    invoiceId,
    day(onDay),
    { arm },
  ]);
}

async function rollUp(): Promise<void> {
  while ((await rollUpUplift(db, { at: day(30), limit: 3 })) > 0);
}

const done = (state: string, rest: object = {}) => ({ state, first_decline: later, ...rest });
const later = { category: 'later', code: '51' };

beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, scheme,
       funding_source, created_at, updated_at)
     values ('mer_a', 'pm_1', 'cus', 'active', 'Visa', 'debit', $1, $1)`,
    [minute(1)],
  );
  await payment({ invoiceId: 'in_learned', ...done('recovered', { attempt_count: 3 }) });
  await recovered('in_learned', 4, 'learned');
  await payment({ invoiceId: 'in_explored', ...done('recovered', { attempt_count: 1 }) });
  await recovered('in_explored', 2, 'explore');
  await payment({
    invoiceId: 'in_lost',
    decision: { arm: 'learned' },
    ...done('exhausted', { attempt_count: 4, amount_minor: 3_000 }),
  });
  await payment({ invoiceId: 'in_held', ...done('recovered', { attempt_count: 4 }) });
  await recovered('in_held', 10, 'holdout');
  await payment({
    invoiceId: 'in_held_lost',
    decision: { arm: 'holdout' },
    ...done('stopped', { stop_reason: 'recovered_elsewhere', attempt_count: 2 }),
  });
  await payment({ invoiceId: 'in_distrust', decision: { arm: 'fallback' }, ...done('exhausted') });
  await payment({ invoiceId: 'in_old', first_decline: {}, failed_at: day(-20) });
  await payment({ merchantId: 'mer_b', invoiceId: 'in_b', currency: 'USD', first_decline: later });
  // A dispute of in_learned's charge that is open, and one of in_held's that was won.
  for (const [invoiceId, status] of [
    ['in_learned', 'under_review'],
    ['in_held', 'won'],
  ]) {
    await db.pool.query(
      `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
         state_at, stage_begun_at, amount_minor, currency, opened_at, payment_ids, invoice_id,
         created_at, updated_at)
       values ('mer_a', $1, 'sandbox', $1, 'psp', 'dispute', 'chargeback', $2, $3, $3, 400, 'EUR', $3,
         $4, $1, $3, $3)`,
      [invoiceId, status, day(20), [`ch_att_${invoiceId}_1`]],
    );
  }
  await db.pool.query(
    `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency, at)
     select merchant_id, charge_ref, 'visa.category_1', k, 'visa', 100000, c, at
     from card_histories, (values ('expected', 'EUR'), ('avoided', 'EUR')) as f (k, c)
     where invoice_id = 'in_learned' and k = 'expected'
     union all
     select merchant_id, charge_ref, 'visa.category_1', 'expected', 'visa', 5, 'USD', at
     from card_histories where invoice_id = 'in_held'`,
  );
  await rollUp();
});
afterAll(() => db.close());

const sumsOf = (rows: readonly UpliftGroup[], arm: string, dimension = 'all') =>
  measureUplift(rows.filter((row) => row.dimension === dimension && !row.isCompared)).parts.flatMap(
    (part) =>
      part.arms
        .filter((item) => item.arm === arm)
        .map(({ sums }) => ({ part: part.part, ...sums })),
  );

describe('the sums of the uplift report', () => {
  it('are those reckoned by hand, arm by arm', async () => {
    const rows = await sumUplift(db, { merchantIds: ['mer_a'] });
    expect(sumsOf(rows, 'learned')).toEqual([
      {
        part: '',
        counted: 3,
        payments: 3,
        failedMinor: 5_000,
        recovered: 2,
        recoveredMinor: 2_000,
        netMinor: 1_600,
        paidOtherwise: 0,
        tries: 8,
        daysToRecovery: 6,
        feesMicros: 100_000,
        open: 0,
        otherFees: 0,
      },
    ]);
    expect(sumsOf(rows, 'holdout')).toMatchObject([
      {
        payments: 2,
        recovered: 1,
        recoveredMinor: 1_000,
        netMinor: 1_000,
        paidOtherwise: 1,
        tries: 6,
        daysToRecovery: 10,
        feesMicros: 0,
        otherFees: 1,
      },
    ]);
    expect(sumsOf(rows, 'fallback')).toMatchObject([{ payments: 1, recovered: 0 }]);
    expect(sumsOf(rows, 'none')).toMatchObject([{ payments: 1, open: 1 }]);
  });

  it('are split by first decline, method and week', async () => {
    const rows = await sumUplift(db, { merchantIds: ['mer_a'] });
    const parts = (dimension: string) =>
      [
        ...new Set(rows.filter((row) => row.dimension === dimension).map(({ part }) => part)),
      ].sort();
    expect(parts('decline_class')).toEqual(['later', 'unknown']);
    expect(parts('method')).toEqual(['visa debit']);
    expect(parts('cohort')).toEqual(['2026-02-09', '2026-02-23']);
  });

  it('are of one merchant or of all, and of the time that is asked for', async () => {
    const payments = async (query: Parameters<typeof sumUplift>[1]) =>
      (await sumUplift(db, query))
        .filter(({ dimension, isCompared }) => dimension === 'all' && !isCompared)
        .reduce((sum, row) => sum + row.payments, 0);
    expect(await payments({})).toBe(8);
    expect(await payments({ merchantIds: ['mer_b'] })).toBe(1);
    expect(await payments({ since: minute(0) })).toBe(7);
    expect(await payments({ until: minute(0) })).toBe(1);
    expect(await payments({ merchantIds: ['mer_c'] })).toBe(0);
    const last = new Date('9999-12-31T23:59:59.999Z');
    expect(await payments({ until: last })).toBe(8);
    expect(await payments({ since: last, until: last })).toBe(0);
  });

  it('add up to the total in every split', async () => {
    const rows = await sumUplift(db, {});
    const totals = (dimension: string) =>
      rows
        .filter((row) => row.dimension === dimension && !row.isCompared)
        .reduce<readonly number[]>(
          ([payments = 0, net = 0], row) => [payments + row.payments, net + row.netMinor],
          [0, 0] as [number, number],
        );
    for (const dimension of ['decline_class', 'method', 'cohort']) {
      expect(totals(dimension)).toEqual(totals('all'));
    }
  });

  it('read a decision without an arm as what the attempts before it say', async () => {
    await db.pool.query(
      `update payments set decision = $1, updated_at = $2 where invoice_id = 'in_held'`,
      [{ kind: 'attempt', policy: 'client_retry' }, day(30)],
    );
    await rollUp();
    const rows = await sumUplift(db, { merchantIds: ['mer_a'] });
    expect(sumsOf(rows, 'holdout')).toMatchObject([{ payments: 2 }]);
  });

  it('are of the arm that a payment was given at first, whatever plans it since', async () => {
    const now = { merchantId: 'mer_b', currency: 'EUR', updated_at: day(30), ...done('exhausted') };
    const moved = { arm: 'learned', payment_arm: 'holdout' };
    await payment({ invoiceId: 'in_moved', ...now, decision: moved });
    // From before there was a payment's arm in the record.
    await payment({ invoiceId: 'in_before', ...now, decision: { arm: 'learned' } });
    await seedAttempt(db, {
      merchantId: 'mer_b',
      invoiceId: 'in_before',
      number: 1,
      state: 'declined',
    });
    await db.pool.query(
      `update attempts set decision = '{"arm": "holdout"}' where invoice_id = 'in_before'`,
    );
    await rollUp();
    const rows = (await sumUplift(db, { merchantIds: ['mer_b'] })).filter(
      ({ currency }) => currency === 'EUR',
    );
    expect(sumsOf(rows, 'holdout')).toMatchObject([{ payments: 2 }]);
    expect(sumsOf(rows, 'learned')).toEqual([]);
  });
});

const zero: UpliftSums = {
  counted: 0,
  payments: 0,
  failedMinor: 0,
  recovered: 0,
  recoveredMinor: 0,
  netMinor: 0,
  paidOtherwise: 0,
  tries: 0,
  daysToRecovery: 0,
  feesMicros: 0,
  open: 0,
  otherFees: 0,
};

const groupsOf = (arms: readonly string[]) =>
  fc.array(
    fc.record({
      arm: fc.constantFrom(...arms),
      group: fc.integer({ min: 0, max: 60 }),
      payments: fc.integer({ min: 1, max: 5 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 120 },
  );

function toGroups(
  drawn: readonly { arm: string; group: number; payments: number; share: number }[],
): readonly UpliftGroup[] {
  const groups = drawn.map(({ arm, group, payments, share }): UpliftGroup => {
    const won = Math.round(payments * share);
    return {
      ...zero,
      isCompared: false,
      counted: payments,
      ...{ currency: 'EUR', dimension: 'all', part: '', arm: arm as UpliftGroup['arm'], group },
      ...{ payments, failedMinor: payments * 100, recovered: won, recoveredMinor: won * 100 },
      ...{ netMinor: won * 100, tries: payments * 2, daysToRecovery: won * 3 },
    };
  });
  return withCompared(groups);
}

describe('measureUplift', () => {
  it('gives intervals that hold their figures, and differences of the two arms', () => {
    fc.assert(
      fc.property(groupsOf(['learned', 'holdout', 'none']), (drawn) => {
        const [part] = measureUplift(toGroups(drawn)).parts;
        const figures = (name: string) => part?.arms.find(({ arm }) => arm === name)?.figures;
        for (const item of [...(part?.arms ?? []).map((arm) => arm.figures), part?.difference]) {
          for (const figure of Object.values(item ?? {})) {
            if (!('low' in figure)) continue;
            expect(figure.low).toBeLessThanOrEqual(figure.value);
            expect(figure.high).toBeGreaterThanOrEqual(figure.value);
          }
        }
        const [learned, holdout] = [figures('learned'), figures('holdout')];
        if (learned === undefined || holdout === undefined) {
          expect(part?.difference).toBeUndefined();
          return;
        }
        expect(part?.difference?.recovered_rate?.value).toBeCloseTo(
          (learned.recovered_rate?.value ?? 0) - (holdout.recovered_rate?.value ?? 0),
          12,
        );
      }),
      { numRuns: 30 },
    );
  });

  it('gives no bounds for an arm of few payers, and no figure without a value', () => {
    const group = { arm: 'learned', group: 1, payments: 4, share: 0 };
    const [part] = measureUplift(toGroups([group])).parts;
    expect(part?.arms[0]?.figures).toEqual({
      recovered_rate: { value: 0 },
      recovered_or_paid_rate: { value: 0 },
      recovered_amount_rate: { value: 0 },
      net_amount_rate: { value: 0 },
      fees_per_payment: { value: 0 },
    });
  });

  it('says which arms there are', () => {
    const only = (arm: string) => {
      const { hasLearned, hasHoldout } = measureUplift(
        toGroups([{ arm, group: 1, payments: 1, share: 1 }]),
      );
      return [hasLearned, hasHoldout];
    };
    expect([only('learned'), only('holdout'), only('none')]).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('finds a difference that is there, with the width that theory gives', () => {
    const drawn = Array.from({ length: 200 }, (_, group) => [
      { arm: 'learned', group, payments: 10, share: group % 2 === 0 ? 0.8 : 0.4 },
      { arm: 'holdout', group, payments: 10, share: group % 4 < 2 ? 0.6 : 0.2 },
    ]).flat();
    const difference = measureUplift(toGroups(drawn)).parts[0]?.difference?.recovered_rate;
    if (difference === undefined || !('low' in difference)) throw new Error('no interval');
    expect(difference.value).toBeCloseTo(0.2, 12);
    // Two independent halves with a deviation of 0.2 each: 1.96 x 0.2 x sqrt(2 / 200) = 0.039.
    expect(difference.low).toBeCloseTo(0.161, 1);
    expect(difference.high - difference.low).toBeGreaterThan(0.06);
    expect(difference.high - difference.low).toBeLessThan(0.1);
  });
});
