import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UpliftGroup } from '../../../src/recovery/uplift.ts';
import type { Database } from '../../../src/store/database.ts';
import { sumArms } from '../../../src/store/reports/experiments.ts';
import { readAsOf } from '../../../src/store/reports/overview/read-progress.ts';
import { sumCompared, sumUplift } from '../../../src/store/reports/uplift.ts';
import { rollUpUplift } from '../../../src/store/rollups/roll-up.ts';
import { sweepRollups } from '../../../src/store/rollups/sweep-rollups.ts';
import { type DirectPayment, directUplift } from '../../kits/direct-uplift.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, scheme,
       funding_source, created_at, updated_at)
     values ('mer_a', 'pm_1', 'cus', 'active', 'Visa', 'debit', $1, $1)`,
    [minute(1)],
  );
});
afterAll(() => db.close());

const emptied = [
  'uplift_payments',
  'uplift_sums',
  'experiment_sums',
  'disputes',
  'network_fees',
  'psp_transactions',
  'attempts',
  'payments',
];

async function empty(): Promise<void> {
  await db.pool.query(emptied.map((table) => `delete from ${table}`).join('; '));
  await db.pool.query(
    `update rollup_progress set through_at = '-infinity', begun_at = null, cursor_at = null,
       cursor_keys = null`,
  );
}

async function rollUp(at: Date, limit: number): Promise<void> {
  while ((await rollUpUplift(db, { at, limit })) > 0);
}

const weekMs = 7 * 86_400_000;
const armOfTry = fc.constantFrom('learned', 'explore', 'holdout', 'fallback', undefined);
/** What happens to a payment in a step. */
const change = fc.record({
  state: fc.constantFrom('scheduled', 'recovered', 'exhausted', 'paid'),
  decision: fc.constantFrom(
    'learned',
    'learned',
    'explore',
    'holdout',
    'holdout',
    'fallback',
    undefined,
  ),
  tried: armOfTry,
  won: fc.boolean(),
  fee: fc.constantFrom(undefined, 'EUR', 'USD'),
});
const payment = fc.record({
  merchantId: fc.constantFrom('mer_a', 'mer_a', 'mer_b'),
  currency: fc.constantFrom('EUR', 'EUR', 'USD'),
  payer: fc.constantFrom('cus_1', 'cus_2', 'cus_3'),
  category: fc.constantFrom('later', 'never', undefined),
  amountMinor: fc.integer({ min: 1, max: 5_000 }),
  /** Over three weeks, the 1st of March being a Sunday. */
  failedAtMs: fc.integer({ min: -weekMs / 2, max: weekMs * 1.5 }),
  changes: fc.array(fc.option(change), { minLength: 1, maxLength: 4 }),
  /** Of its charges, told in each step, also while the payment rests. */
  disputes: fc.array(fc.constantFrom(undefined, 'needs_response', 'won', 'lost'), { maxLength: 4 }),
});
type Payment = typeof payment extends fc.Arbitrary<infer Value> ? Value : never;

it('the sums are those of the stored rows themselves, whatever happened between the runs', async () => {
  const bound = fc.option(fc.integer({ min: -weekMs, max: 2 * weekMs }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.array(payment, { minLength: 8, maxLength: 16 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.tuple(bound, bound), { minLength: 3, maxLength: 3 }),
      async (payments, limit, times) => {
        await empty();
        for (let step = 0; step < 4; step += 1) {
          for (const [index, each] of payments.entries()) await takeStep(each, index, step);
          await rollUp(minute(50_999 + step * 1_000), limit);
        }
        await sweepRollups(db);
        const direct = await directUplift(db.pool);
        for (const [since, until] of [[undefined, undefined] as const, ...times]) {
          await expectEqual(direct, { since: at(since), until: at(until) });
        }
      },
    ),
    { numRuns: 6 },
  );
});

const at = (offsetMs: number | undefined) =>
  offsetMs === undefined ? undefined : new Date(minute(0).getTime() + offsetMs);

async function takeStep(each: Payment, index: number, step: number): Promise<void> {
  const { merchantId } = each;
  const key = { merchantId, invoiceId: `in_${index}` };
  const updatedAt = minute(50_000 + step * 1_000 + index);
  if (step === 0) {
    await seedPayment(db, {
      ...key,
      currency: each.currency,
      customer_id: each.payer,
      amount_minor: each.amountMinor,
      first_decline: each.category === undefined ? {} : { category: each.category },
      failed_at: at(each.failedAtMs),
      window_ends_at: minute(90_000),
      updated_at: updatedAt,
    });
  }
  const status = each.disputes[step];
  if (status !== undefined) await dispute(key, { status, step, index });
  const told = each.changes[step];
  if (told === undefined || told === null) return;
  const won = told.won && !(await hasWon(key));
  const attemptId = `att_${key.invoiceId}_${step + 1}`;
  await seedAttempt(db, { ...key, number: step + 1, state: won ? 'succeeded' : 'declined' });
  await db.pool.query(
    'update attempts set decision = $3 where merchant_id = $1 and attempt_id = $2',
    [merchantId, attemptId, told.tried === undefined ? null : { arm: told.tried }],
  );
  await db.pool.query(
    'update psp_transactions set currency = $3 where merchant_id = $1 and invoice_id = $2',
    [merchantId, key.invoiceId, each.currency],
  );
  if (told.fee !== undefined) {
    await db.pool.query(
      `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
         currency, at)
       values ($1, $2, 'r', 'expected', 'visa', 100, $3, $4)`,
      [merchantId, attemptId, told.fee, updatedAt],
    );
  }
  const state = told.state === 'paid' ? 'stopped' : told.state;
  await db.pool.query(
    `update payments set state = $3, updated_at = $4, attempt_count = $5, decision = $6,
       stop_reason = $7, due_action = null, next_attempt_at = null
     where merchant_id = $1 and invoice_id = $2`,
    [
      merchantId,
      key.invoiceId,
      state,
      updatedAt,
      step + 1,
      told.decision === undefined ? null : { arm: told.decision },
      state === 'stopped' ? 'recovered_elsewhere' : null,
    ],
  );
}

async function hasWon(key: { merchantId: string; invoiceId: string }): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `select from attempts where merchant_id = $1 and invoice_id = $2 and state = 'succeeded'`,
    [key.merchantId, key.invoiceId],
  );
  return rowCount === 1;
}

/** Of a charge of any step. */
async function dispute(
  { merchantId, invoiceId }: { merchantId: string; invoiceId: string },
  { status, step, index }: { status: string; step: number; index: number },
): Promise<void> {
  await db.pool.query(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
       state_at, stage_begun_at, amount_minor, currency, opened_at, payment_ids, invoice_id,
       created_at, updated_at)
     values ($1, $2, 'sandbox', $2, 'psp', 'dispute', 'chargeback', $3, $4, $4, 400, 'EUR', $4, $5,
       $6, $4, $4)
     on conflict (merchant_id, dispute_id) do update
     set status = excluded.status, updated_at = excluded.updated_at`,
    [
      merchantId,
      `dis_${invoiceId}`,
      status,
      minute(50_500 + step * 1_000 + index),
      [1, 2, 3, 4].map((number) => `ch_att_${invoiceId}_${number}`),
      invoiceId,
    ],
  );
}

interface Times {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

async function expectEqual(all: readonly DirectPayment[], { since, until }: Times): Promise<void> {
  const direct = all.filter(
    ({ failed_at: failed }) =>
      (since === undefined || failed >= since) && (until === undefined || failed < until),
  );
  const query = { ...(since && { since }), ...(until && { until }) };
  const kept = await sumUplift(db, query);
  expect(asMap(kept.filter(({ isCompared }) => !isCompared))).toEqual(asMap(directGroups(direct)));
  const compared = directGroups(direct, true);
  expect(asMap(kept.filter(({ isCompared }) => isCompared))).toEqual(asMap(compared));
  expect(asMap(await sumCompared(db, query))).toEqual(
    asMap(compared.filter(({ dimension, arm }) => dimension === 'all' && arm !== 'none')),
  );
  for (const merchantId of ['mer_a', 'mer_b']) {
    const own = direct.filter(({ merchant_id: id }) => id === merchantId);
    const ofOne = await sumUplift(db, { merchantIds: [merchantId], ...query });
    expect(asMap(ofOne.filter(({ isCompared }) => !isCompared))).toEqual(asMap(directGroups(own)));
  }
  if (until !== undefined) return;
  const from = since ?? minute(-1_000_000);
  const arms = await sumArms(
    db,
    ['mer_a', 'mer_b'].map((merchantId) => ({ merchantId, from })),
  );
  const armsMap = new Map(arms.map((row) => [`${row.merchantId} ${row.arm} ${row.group}`, row]));
  expect(armsMap).toEqual(directArms(direct));
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;

function asMap(groups: readonly UpliftGroup[]): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(
    groups
      .map((group) => {
        const { isCompared, currency, dimension, part, arm, group: number, ...sums } = group;
        const key = [isCompared, currency, dimension, part, arm, number].join(' ');
        const rounded = Object.entries(sums).map(([name, value]) => [name, round(value)]);
        return [key, Object.fromEntries(rounded)] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Each payment in all four dimensions; compared: with what it weighs in its merchant's week. */
function directGroups(payments: readonly DirectPayment[], isCompared = false): UpliftGroup[] {
  const groups = new Map<string, UpliftGroup>();
  for (const each of payments) {
    const weight = isCompared ? weightOf(each, payments) : 1;
    if (weight === 0) continue;
    const { currency, arm, grp: group } = each;
    for (const [dimension, part] of [
      ['all', ''],
      ['decline_class', each.decline_class],
      ['method', each.method],
      ['cohort', each.week],
    ] as const) {
      const key = [currency, dimension, part, arm, group].join(' ');
      const before = groups.get(key);
      const sums = sumsOf(each, weight);
      const names = Object.keys(sums) as (keyof typeof sums)[];
      const added = names.map((name) => [name, (before?.[name] ?? 0) + sums[name]]);
      groups.set(key, {
        ...{ isCompared, currency, dimension, part, arm: arm as UpliftGroup['arm'], group },
        ...(Object.fromEntries(added) as typeof sums),
      });
    }
  }
  return [...groups.values()];
}

function weightOf(each: DirectPayment, payments: readonly DirectPayment[]): number {
  const ofMerchant = payments.filter(({ merchant_id: id }) => id === each.merchant_id);
  if (each.arm === 'none') return ofMerchant.some(({ arm }) => arm === 'learned') ? 1 : 0;
  const beside = (arm: string) =>
    payments.filter(
      (other) =>
        other.arm === arm &&
        other.merchant_id === each.merchant_id &&
        other.week === each.week &&
        other.currency === each.currency,
    ).length;
  const [learned, holdout] = [beside('learned'), beside('holdout')];
  if (learned === 0 || holdout === 0) return 0;
  return each.arm === 'learned' ? 1 : each.arm === 'holdout' ? learned / holdout : 0;
}

function sumsOf(each: DirectPayment, weight: number) {
  const won = each.won_minor ?? 0;
  return {
    counted: 1,
    payments: weight,
    failedMinor: each.amount_minor * weight,
    recovered: each.won_minor === null ? 0 : weight,
    recoveredMinor: won * weight,
    netMinor: (won - Math.min(won, each.disputed_minor)) * weight,
    paidOtherwise: each.is_paid ? weight : 0,
    tries: each.tries * weight,
    daysToRecovery: ((each.won_after_ms ?? 0) / 86_400_000) * weight,
    feesMicros: each.fees_micros * weight,
    open: each.is_open ? weight : 0,
    otherFees: each.has_other_fees ? weight : 0,
  };
}

function directArms(payments: readonly DirectPayment[]) {
  const rows = new Map<
    string,
    Record<string, unknown> & Record<'payments' | 'recovered' | 'tries' | 'succeeded', number>
  >();
  const add = (
    each: DirectPayment,
    arm: string,
    more: Partial<Record<'payments' | 'recovered' | 'tries' | 'succeeded', number>>,
  ) => {
    const key = `${each.merchant_id} ${arm} ${each.grp}`;
    const before = rows.get(key) ?? { payments: 0, recovered: 0, tries: 0, succeeded: 0 };
    rows.set(key, {
      merchantId: each.merchant_id,
      arm,
      group: each.grp,
      payments: before.payments + (more.payments ?? 0),
      recovered: before.recovered + (more.recovered ?? 0),
      tries: before.tries + (more.tries ?? 0),
      succeeded: before.succeeded + (more.succeeded ?? 0),
    });
  };
  for (const each of payments) {
    if (each.arm !== 'none')
      add(each, each.arm, { payments: 1, recovered: Number(each.is_recovered) });
    for (const { arm, won } of each.tried) {
      if (arm !== null) add(each, arm, { tries: 1, succeeded: Number(won) });
    }
  }
  return rows;
}

it('a dispute changes the sums of its payment, which itself rests', async () => {
  await empty();
  const key = { merchantId: 'mer_a', invoiceId: 'in_1' };
  await seedPayment(db, { ...key, state: 'recovered', updated_at: minute(10) });
  await seedAttempt(db, { ...key, number: 1, state: 'succeeded' });
  const net = async () =>
    (await sumUplift(db, {}))
      .filter(({ dimension }) => dimension === 'all')
      .map(({ netMinor, recoveredMinor }) => [recoveredMinor, netMinor]);
  await rollUp(minute(1_000), 10);
  expect(await net()).toEqual([[1_000, 1_000]]);
  await dispute(key, { status: 'needs_response', step: 0, index: 0 });
  await rollUp(minute(60_000), 10);
  expect(await net()).toEqual([[1_000, 600]]);
  await dispute(key, { status: 'won', step: 20, index: 0 });
  await rollUp(minute(80_000), 10);
  expect(await net()).toEqual([[1_000, 1_000]]);
  expect(await readAsOf(db, 'uplift')).toEqual(minute(80_000));
});
