import { present } from '../../domain/present.ts';
import type { ArmGroup, LearnedMerchant } from '../../recovery/reports/experiments.ts';
import type { Queryable, Statement } from '../database.ts';
import { armOf } from './assignment.ts';

const merchants: Statement = {
  name: 'list_learned_merchants',
  text: `
    select merchant_id, name, window_days, max_attempts, fixed_days, holdout_share, explore_share,
      learned_share, learned_step, learned_reason, coalesce(policy_since, created_at) as policy_since
    from merchants
    where policy_kind = 'learned' and ($1::text is null or merchant_id = $1)
    order by name, merchant_id`,
};

interface MerchantRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly window_days: number;
  readonly max_attempts: number;
  readonly fixed_days: readonly number[];
  readonly holdout_share: number | null;
  readonly explore_share: number | null;
  readonly learned_share: number | null;
  readonly learned_step: number;
  readonly learned_reason: string;
  readonly policy_since: Date;
}

/** The merchants whose policy is the learned one, or one of them. */
export async function listLearnedMerchants(
  db: Queryable,
  merchantId: string | undefined,
): Promise<readonly LearnedMerchant[]> {
  const rows = await db.query<MerchantRow>(merchants, [merchantId ?? null]);
  return rows.map((row) =>
    present({
      merchantId: row.merchant_id,
      name: row.name,
      windowDays: row.window_days,
      maxAttempts: row.max_attempts,
      fixedDays: row.fixed_days,
      holdoutShare: row.holdout_share ?? undefined,
      exploreShare: row.explore_share ?? undefined,
      learnedShare: row.learned_share ?? row.learned_step,
      learnedReason: row.learned_share === null ? row.learned_reason : 'Set by hand.',
      policySince: row.policy_since,
    }),
  );
}

/** Groups of payers that are summed, and later resampled: as in the uplift report. */
const groups = 256;

/**
 * Payments by the arm that they belong to, and tries by the arm of their own decision: a payment of
 * the learned arm has explored tries too. `offset 0` takes the arm out of a try's decision before the
 * join, which would carry the whole of it along through files.
 */
const sum: Statement = {
  name: 'sum_experiment_arms',
  text: `
    with facts as materialized (
      select p.merchant_id, p.invoice_id, p.state = 'recovered' as is_recovered, ${armOf('p')} as arm,
             hashtextextended(p.merchant_id || '/' || p.customer_id, 0) & ${groups - 1} as grp
      from unnest($1::text[], $2::timestamptz[]) as asked (merchant_id, since)
      join payments p on p.merchant_id = asked.merchant_id and p.failed_at >= asked.since
    ),
    tried as (
      select a.merchant_id, a.invoice_id, a.decision ->> 'arm' as arm,
             (a.state = 'succeeded')::int as succeeded
      from attempts a
      where a.merchant_id = any ($1) and a.state in ('succeeded', 'declined')
      offset 0
    ),
    counted as (
      select merchant_id, arm, grp, 1 as payments, is_recovered::int as recovered, 0 as tries,
             0 as succeeded
      from facts where arm <> 'none'
      union all
      select f.merchant_id, a.arm, f.grp, 0, 0, 1, a.succeeded
      from facts f
      join tried a on a.merchant_id = f.merchant_id and a.invoice_id = f.invoice_id
      where a.arm in ('learned', 'explore', 'holdout', 'fallback')
    )
    select merchant_id, arm, grp::int as "group", sum(payments)::int as payments,
           sum(recovered)::int as recovered, sum(tries)::int as tries,
           sum(succeeded)::int as succeeded
    from counted group by merchant_id, arm, grp
    order by merchant_id, arm, grp`,
};

interface Row {
  readonly merchant_id: string;
  readonly arm: ArmGroup['arm'];
  readonly group: number;
  readonly payments: number;
  readonly recovered: number;
  readonly tries: number;
  readonly succeeded: number;
}

/** What the arms of these merchants brought, of payments that failed since. */
export async function sumArms(
  db: Queryable,
  asked: readonly { readonly merchantId: string; readonly from: Date }[],
): Promise<readonly ArmGroup[]> {
  const rows = await db.query<Row>(sum, [
    asked.map(({ merchantId }) => merchantId),
    asked.map(({ from }) => from),
  ]);
  return rows.map(({ merchant_id, ...row }) => ({ merchantId: merchant_id, ...row }));
}
