import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { readCustomer } from '../../../src/store/reports/customers/read-customer.ts';
import { readOverview } from '../../../src/store/reports/overview/read-overview.ts';
import { readRetryMap } from '../../../src/store/reports/overview/read-retry-map.ts';
import { sumUplift } from '../../../src/store/reports/uplift.ts';
import { paymentDimensions } from '../../../src/store/rollups/payment-dimensions.ts';
import { rollUpCharges, rollUpPayments, rollUpUplift } from '../../../src/store/rollups/roll-up.ts';
import { sweepRollups } from '../../../src/store/rollups/sweep-rollups.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_a');
  await seedMerchant(db, 'mer_b');
});
afterAll(() => db.close());

const emptied = [
  'rolled_up_payments',
  'cohort_rollups',
  'recovered_rollups',
  'planned_rollups',
  'charge_hour_rollups',
  'charge_cause_rollups',
  'uplift_payments',
  'uplift_sums',
  'experiment_sums',
  'psp_transactions',
  'attempts',
  'payments',
];
beforeEach(async () => {
  await db.pool.query(`truncate ${emptied.join(', ')} cascade`);
  await db.pool.query(
    `update rollup_progress set through_at = '-infinity', begun_at = null, cursor_at = null,
       cursor_keys = null`,
  );
});

async function rollUp(at: Date, limit: number): Promise<void> {
  while ((await rollUpPayments(db, { at, limit })) > 0);
  while ((await rollUpCharges(db, { at, limit })) > 0);
}

const rows = async (text: string) => (await db.pool.query(text)).rows;

/** Every sum as it is kept, and as it is counted anew from the payments and charges themselves. */
async function expectEqualToRecount(counted = ''): Promise<void> {
  await sweepRollups(db);
  const p = `(select ${paymentDimensions} from payments p ${counted}) p`;
  const pairs = [
    [
      'select * from cohort_rollups order by 1, 2, 3, 4, 5',
      `select merchant_id, day, currency, category, outcome, count(*)::bigint as payments,
              sum(amount_minor)::bigint as amount_minor, sum(attempts)::bigint as attempts
       from ${p} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    ],
    [
      'select * from recovered_rollups order by 1, 2, 3',
      `select merchant_id, recovered_hour as hour, currency, count(*)::bigint as payments,
              sum(amount_minor)::bigint as amount_minor
       from ${p} where recovered_hour is not null group by 1, 2, 3 order by 1, 2, 3`,
    ],
    [
      'select * from planned_rollups order by 1, 2, 3',
      `select merchant_id, due_hour as hour, category, count(*)::bigint as attempts
       from ${p} where due_hour is not null group by 1, 2, 3 order by 1, 2, 3`,
    ],
    [
      'select * from charge_hour_rollups order by 1, 2',
      `select merchant_id, date_trunc('hour', sent_at, 'UTC') as hour, count(*)::bigint as tries,
              count(*) filter (where state = 'succeeded')::bigint as successes
       from psp_transactions where state in ('succeeded', 'declined') group by 1, 2 order by 1, 2`,
    ],
  ] as const;
  for (const [kept, anew] of pairs) expect(await rows(kept)).toEqual(await rows(anew));
}

const stateOf = fc.constantFrom('scheduled', 'attempting', 'recovered', 'stopped', 'exhausted');
const payment = fc.record({
  merchantId: fc.constantFrom('mer_a', 'mer_b'),
  currency: fc.constantFrom('EUR', 'JPY'),
  category: fc.constantFrom('later', 'never'),
  amountMinor: fc.integer({ min: 1, max: 5_000 }),
  day: fc.integer({ min: 0, max: 3 }),
  /** The states that it goes through, an hour after the other. */
  states: fc.array(stateOf, { minLength: 1, maxLength: 4 }),
});

describe('the sums', () => {
  test('are those of a full recount, whatever happened between their runs', async () => {
    const cases = fc.array(payment, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 5 }), async (payments, limit) => {
        await db.pool.query(`truncate ${emptied.join(', ')} cascade`);
        await db.pool.query(
          `update rollup_progress set through_at = '-infinity', begun_at = null,
             cursor_at = null, cursor_keys = null`,
        );
        for (let step = 0; step < 4; step += 1) {
          for (const [index, each] of payments.entries()) await takeStep(each, index, step);
          await rollUp(minute(10_999 + step * 1_000), limit);
        }
        await expectEqualToRecount();
      }),
      { numRuns: 6 },
    );
  });

  test('have a debt once, whichever of its recoveries was joined to the other, and when', async () => {
    let now = minute(200);
    for (const invoiceId of ['in_1', 'in_2', 'in_3', 'in_4']) {
      await seedPayment(db, { merchantId: 'mer_a', invoiceId, customer_id: 'cus_1' });
    }
    const count = async () => {
      await rollUp(now, 2);
      while ((await rollUpUplift(db, { at: now, limit: 2 })) > 0);
      const whole = await readOverview(db, { merchantIds: ['mer_a'], now });
      const day = { from: minute(0), to: minute(100), now };
      const edge = await readOverview(db, { merchantIds: ['mer_a'], ...day });
      const customer = await readCustomer(db, { merchantId: 'mer_a', customerId: 'cus_1' });
      const uplift = await sumUplift(db, {});
      const all = uplift.filter(({ dimension, isCompared }) => dimension === 'all' && !isCompared);
      return [
        ...[whole, edge].map(({ currencies }) => currencies[0]?.cohort.payments),
        customer?.totals[0]?.payments,
        all.reduce((sum, { payments }) => sum + payments, 0),
      ];
    };
    const change = async (set: string, invoiceId: string) => {
      const text = `update payments set ${set}, updated_at = $1 where invoice_id = $2`;
      await db.pool.query(text, [now, invoiceId]);
      now = addMs(now, hourMs);
    };
    expect(await count()).toEqual([4, 4, 4, 4]);
    const ended = 'due_action = null, next_attempt_at = null';
    await change("joined_to = 'in_1'", 'in_2');
    expect(await count()).toEqual([3, 3, 3, 3]);
    await change(`state = 'stopped', stop_reason = 'joined', ${ended}`, 'in_2');
    // A charge that was on its way when its recovery was joined took the money.
    await change(`joined_to = 'in_4', state = 'recovered', ${ended}`, 'in_3');
    expect(await count()).toEqual([3, 3, 3, 3]);
    await expectEqualToRecount("where joined_to is null or state = 'recovered'");
  });

  test('count a charge once, and only when none before it can still come', async () => {
    await seedPayment(db, { merchantId: 'mer_a', invoiceId: 'in_1' });
    const key = { merchantId: 'mer_a', invoiceId: 'in_1' };
    await seedAttempt(db, { ...key, number: 1, state: 'declined' });
    await seedAttempt(db, { ...key, number: 5, state: 'succeeded' });
    await rollUp(minute(3), 10);
    expect(await rows('select tries, successes from charge_hour_rollups')).toEqual([]);
    await rollUp(minute(4), 10);
    expect(await rows('select tries, successes from charge_hour_rollups')).toEqual([
      { tries: 1, successes: 0 },
    ]);
    // Nothing of ours writes microseconds, but a time with them must not be read for ever.
    await db.pool.query(
      `update psp_transactions t set settled_at = l.later
       from (select merchant_id, attempt_id, ordinal, settled_at + interval '3 microseconds' as later
             from psp_transactions offset 0) l
       where (t.merchant_id, t.attempt_id, t.ordinal) = (l.merchant_id, l.attempt_id, l.ordinal)`,
    );
    await db.pool.query(
      'update rollup_progress set begun_at = null, cursor_at = null, cursor_keys = null',
    );
    await db.pool.query('truncate charge_hour_rollups, charge_cause_rollups');
    await rollUp(minute(60), 1);
    await rollUp(minute(120), 1);
    await expectEqualToRecount();
    const map = await readRetryMap(db, {});
    expect(map.hours).toEqual([{ at: minute(0), tries: 2, successes: 1 }]);
    expect(map.daysSinceFailure).toEqual([{ bucket: '0', tries: 2, successes: 1 }]);
    expect(map.bins).toEqual([{ bucket: 'unknown', tries: 2, successes: 1 }]);
  });
});

async function takeStep(
  each: typeof payment extends fc.Arbitrary<infer Value> ? Value : never,
  index: number,
  step: number,
): Promise<void> {
  const state = each.states[step];
  if (state === undefined) return;
  const { merchantId } = each;
  const invoiceId = `in_${index}`;
  const updatedAt = minute(10_000 + step * 1_000 + each.day * 60 + index);
  const due = state === 'scheduled' ? { action: 'attempt', at: minute(20_000 + step) } : undefined;
  if (step === 0) {
    await seedPayment(db, {
      merchantId,
      invoiceId,
      currency: each.currency,
      amount_minor: each.amountMinor,
      first_decline: { category: each.category, code: '51' },
      created_at: minute(each.day * 1_440),
      updated_at: updatedAt,
      state: 'scheduled',
    });
  }
  await db.pool.query(
    `update payments set state = $3, updated_at = $4, due_action = $5, next_attempt_at = $6,
       attempt_count = $7, stop_reason = case when $3 = 'stopped' then 'merchant_stop' end
     where merchant_id = $1 and invoice_id = $2`,
    [merchantId, invoiceId, state, updatedAt, due?.action, due?.at, step],
  );
}

/** Sunday the 1st of March, UTC; counted by hand. */
test('the retry map of a few charges is what a person counts', async () => {
  const merchantId = 'mer_a';
  const tried = (invoiceId: string, number: number, state: 'succeeded' | 'declined') =>
    seedAttempt(db, { merchantId, invoiceId, number, state });
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, bin,
       created_at, updated_at)
     values ($1, 'pm_1', 'cus_1', 'active', '42424299', $2, $2)`,
    [merchantId, minute(0)],
  );
  const funds = { category: 'later', code: 'insufficient_funds', networkCode: '51' };
  await seedPayment(db, { merchantId, invoiceId: 'in_a', first_decline: funds });
  await seedPayment(db, { merchantId, invoiceId: 'in_b', first_decline: { code: 'try_again' } });
  // On the day of the failure: 00:30, 00:45 and 23:59; the day after 01:00; on the third day 00:15.
  await tried('in_a', 30, 'declined');
  await tried('in_b', 45, 'declined');
  await tried('in_b', 1_439, 'succeeded');
  await tried('in_a', 1_500, 'declined');
  await tried('in_a', 4_335, 'succeeded');
  // A card of which nothing is known.
  await db.pool.query(
    "update psp_transactions set payment_method_id = 'pm_other' where invoice_id = 'in_b'",
  );
  await rollUp(minute(5_000), 2);
  const map = await readRetryMap(db, { merchantIds: [merchantId] });
  expect(map.hours).toEqual([
    { at: minute(0), tries: 2, successes: 0 },
    { at: minute(1_380), tries: 1, successes: 1 },
    { at: minute(1_500), tries: 1, successes: 0 },
    { at: minute(4_320), tries: 1, successes: 1 },
  ]);
  expect(map.daysSinceFailure).toEqual([
    { bucket: '0', tries: 3, successes: 1 },
    { bucket: '1', tries: 1, successes: 0 },
    { bucket: '3', tries: 1, successes: 1 },
  ]);
  expect(map.declineCodes).toEqual([
    { bucket: '51', tries: 3, successes: 1 },
    { bucket: 'try_again', tries: 2, successes: 1 },
  ]);
  expect(map.bins).toEqual([
    { bucket: '424242', tries: 3, successes: 1 },
    { bucket: 'unknown', tries: 2, successes: 1 },
  ]);
  const later = await readRetryMap(db, { merchantIds: [merchantId], from: minute(1_440) });
  expect(later.hours.map(({ tries }) => tries)).toEqual([1, 1]);
  expect(later.bins).toEqual([{ bucket: '424242', tries: 2, successes: 1 }]);
  // The second day alone, and the first: neither has a charge of the day that begins where it ends.
  const dayAfter = { from: minute(1_440), to: minute(2_880) };
  const second = await readRetryMap(db, { merchantIds: [merchantId], ...dayAfter });
  expect(second.hours.map(({ tries }) => tries)).toEqual([1]);
  expect(second.daysSinceFailure).toEqual([{ bucket: '1', tries: 1, successes: 0 }]);
  const first = await readRetryMap(db, { merchantIds: [merchantId], to: minute(1_440) });
  expect(first.daysSinceFailure).toEqual([{ bucket: '0', tries: 3, successes: 1 }]);
  await db.pool.query("delete from payment_methods where payment_method_id = 'pm_1'");
});

test('the overview counts what came in and what came back from its first moment to before its last', async () => {
  const cameIn = (invoiceId: string, at: number, recoveredAt: number) =>
    seedPayment(db, {
      merchantId: 'mer_a',
      invoiceId,
      first_decline: { category: 'later' },
      created_at: minute(at),
      state: 'recovered',
      attempt_count: 1,
      updated_at: minute(recoveredAt),
    });
  // Two days, each from its first minute on, and what came back on the days after that.
  await cameIn('in_at_0', 0, 2_880);
  await cameIn('in_at_1', 1_439, 2_909);
  await cameIn('in_at_2', 1_440, 2_910);
  await cameIn('in_at_3', 1_470, 2_940);
  await cameIn('in_at_4', 2_879, 4_320);
  await rollUp(minute(9_000), 10);
  const countsIn = async (from: number | undefined, to: number | undefined) => {
    const time = {
      ...(from !== undefined && { from: minute(from) }),
      ...(to !== undefined && { to: minute(to) }),
    };
    const { currencies } = await readOverview(db, { now: minute(9_000), ...time });
    const [euro] = currencies;
    const [all = 0, back = 0] = [euro?.cohort.payments, euro?.recovered.payments];
    expect(euro?.funnel.map(({ payments }) => payments) ?? [0]).toEqual(all === 0 ? [] : [all]);
    expect(euro?.series.reduce((sum, { payments }) => sum + payments, 0) ?? 0).toBe(back);
    return { in: all, back };
  };
  expect(await countsIn(undefined, undefined)).toEqual({ in: 5, back: 5 });
  expect(await countsIn(0, 1_440)).toEqual({ in: 2, back: 0 });
  expect(await countsIn(1_440, 2_880)).toEqual({ in: 3, back: 0 });
  // Days of a zone half an hour before UTC, and parts of days and hours.
  expect(await countsIn(1_410, 2_850)).toEqual({ in: 3, back: 0 });
  expect(await countsIn(1_441, 2_879)).toEqual({ in: 1, back: 0 });
  expect(await countsIn(1_441, 1_471)).toEqual({ in: 1, back: 0 });
  expect(await countsIn(2_850, 2_910)).toEqual({ in: 1, back: 2 });
  expect(await countsIn(2_881, 2_910)).toEqual({ in: 0, back: 1 });
  expect(await countsIn(2_910, undefined)).toEqual({ in: 0, back: 3 });
  expect(await countsIn(undefined, 2_910)).toEqual({ in: 5, back: 2 });
});

test('the overview gives as recovered what was charged, where a merchant asked for less than had failed', async () => {
  const key = { merchantId: 'mer_a', invoiceId: 'in_less' };
  const recovered = { state: 'recovered', attempt_count: 1, first_decline: { category: 'later' } };
  await seedPayment(db, { ...key, ...recovered, amount_minor: 3_050, updated_at: minute(70) });
  await seedAttempt(db, { ...key, number: 70, state: 'succeeded' });
  const whole = { merchantId: 'mer_b', invoiceId: 'in_whole' };
  await seedPayment(db, { ...whole, ...recovered, created_at: minute(30), updated_at: minute(80) });
  await seedAttempt(db, { ...whole, number: 80, state: 'succeeded' });
  await rollUp(minute(9_000), 10);
  while ((await rollUpUplift(db, { at: minute(9_000), limit: 10 })) > 0);
  const euros = async (from: number, to: number) => {
    const time = { from: minute(from), to: minute(to) };
    const { currencies } = await readOverview(db, { now: minute(9_000), ...time });
    return currencies[0];
  };
  // One failed over 30.50, of which 10.00 were charged, and one over 10.00.
  const euro = await euros(0, 1_440);
  expect(euro?.recovered).toEqual({ payments: 2, amountMinor: 2_000 });
  expect(euro?.series).toEqual([{ at: minute(60), payments: 2, amountMinor: 2_000 }]);
  const cohort = { payments: 2, amountMinor: 4_050 };
  const outcomes = { recovered: { payments: 2, amountMinor: 2_000 } };
  expect(euro?.cohort).toMatchObject({ ...cohort, outcomes });
  expect(euro?.funnel).toMatchObject([{ category: 'later', ...cohort, outcomes }]);
  const [came, back] = [await euros(0, 30), await euros(75, 1_440)];
  expect(came?.cohort.outcomes.recovered).toEqual({ payments: 1, amountMinor: 1_000 });
  expect(came?.recovered).toEqual({ payments: 0, amountMinor: 0 });
  expect(back?.recovered).toEqual({ payments: 1, amountMinor: 1_000 });
  expect(back?.recoveredBefore).toEqual({ payments: 1, amountMinor: 1_000 });
  const ofOne = await readOverview(db, { now: minute(9_000), merchantIds: ['mer_b'] });
  expect(ofOne.currencies[0]?.recovered).toEqual({ payments: 1, amountMinor: 1_000 });
});

test('money that came back stays at its time when an incident of it is opened and resolved', async () => {
  const merchantId = 'mer_a';
  const key = { merchantId, invoiceId: 'in_frozen' };
  const recovered = { state: 'recovered', attempt_count: 1, amount_minor: 3_050 };
  await seedPayment(db, { ...key, ...recovered, updated_at: minute(70) });
  await seedAttempt(db, { ...key, number: 70, state: 'succeeded' });
  await rollUp(minute(100), 10);
  for (const [frozenAt, at] of [
    [minute(3_000), 3_000],
    [null, 4_500],
  ] as const) {
    await db.pool.query('update payments set frozen_at = $1, updated_at = $2', [
      frozenAt,
      minute(at),
    ]);
    await rollUp(minute(at + 10), 10);
    while ((await rollUpUplift(db, { at: minute(at + 10), limit: 10 })) > 0);
    await expectEqualToRecount();
    const backIn = async (from: number, to: number) => {
      const time = { from: minute(from), to: minute(to) };
      const { currencies } = await readOverview(db, { now: minute(9_000), ...time });
      return currencies[0]?.recovered.amountMinor ?? 0;
    };
    // Charged over less than had failed, in the whole hour and in parts of it.
    for (const [from, to] of [
      [60, 120],
      [69, 71],
      [65, 1_440],
    ] as const) {
      expect(await backIn(from, to)).toBe(1_000);
    }
    for (const [from, to] of [
      [71, 80],
      [120, 4_600],
      [2_999, 3_001],
    ] as const) {
      expect(await backIn(from, to)).toBe(0);
    }
  }
});

test('the overview gives recovered money, money at risk, the cohort and what became of it', async () => {
  const at = (invoiceId: string, more: Record<string, unknown>) =>
    seedPayment(db, {
      merchantId: 'mer_a',
      invoiceId,
      first_decline: { category: 'later' },
      ...more,
    });
  await at('in_open', { next_attempt_at: minute(125) });
  await at('in_paid', { state: 'recovered', attempt_count: 2, updated_at: minute(70) });
  await at('in_held', {
    state: 'recovered',
    attempt_count: 3,
    updated_at: minute(70),
  });
  await at('in_yen', { currency: 'JPY', state: 'exhausted', updated_at: minute(90) });
  await seedAttempt(db, {
    merchantId: 'mer_a',
    invoiceId: 'in_open',
    number: 1,
    state: 'unknown',
  });
  await rollUp(minute(100), 10);
  const now = minute(100);
  const overview = await readOverview(db, { now, from: minute(0), to: now });
  expect(overview.asOf).toEqual(now);
  expect(overview.currencies.map(({ currency }) => currency)).toEqual(['EUR', 'JPY']);
  const [euro] = overview.currencies;
  expect(euro?.recovered).toEqual({ payments: 2, amountMinor: 2_000 });
  expect(euro?.recoveredBefore).toEqual({ payments: 0, amountMinor: 0 });
  expect(euro?.atRisk).toEqual({ payments: 1, amountMinor: 1_000 });
  expect(euro?.cohort).toMatchObject({ payments: 3, attempts: 5 });
  expect(euro?.funnel).toMatchObject([{ category: 'later', payments: 3 }]);
  expect(euro?.series).toEqual([
    {
      at: minute(60),
      payments: 2,
      amountMinor: 2_000,
    },
  ]);
  expect(overview.planned).toEqual([{ at: minute(120), category: 'later', attempts: 1 }]);
  expect(overview.alerts).toMatchObject([
    { kind: 'unknown_outcomes', merchantId: 'mer_a', count: 1, needPerson: 1, at: minute(1) },
  ]);
  const other = await readOverview(db, { now, merchantIds: ['mer_b'] });
  expect(other.currencies).toEqual([]);
});
