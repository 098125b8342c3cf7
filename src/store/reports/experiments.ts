import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { present } from '../../domain/present.ts';
import type {
  ArmGroup,
  LearnedMerchant,
  SegmentShare,
} from '../../recovery/reports/experiments.ts';
import type { Queryable, Statement } from '../database.ts';
import { armsOf } from '../rollups/uplift-facts.ts';
import { inWeeks } from './whole-weeks.ts';

const merchants: Statement = {
  name: 'list_learned_merchants',
  text: `
    select merchant_id, name, window_days, max_attempts, fixed_days, holdout_share, explore_share,
      learned_share, learned_step, learned_reason, coalesce(policy_since, created_at) as policy_since,
      case when learned_share is null then (
        select json_agg(json_build_object('segment', segment, 'learnedShare', step,
                                          'learnedReason', reason, 'since', since) order by segment)
        from learned_segments g where g.merchant_id = merchants.merchant_id) end as segments
    from merchants
    where policy_kind = 'learned' and ($1::text[] is null or merchant_id = any($1))
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
  readonly segments: readonly (Omit<SegmentShare, 'since'> & { readonly since: string })[] | null;
}

/** The merchants whose policy is the learned one. */
export async function listLearnedMerchants(
  db: Queryable,
  { merchantIds }: OfMerchants,
): Promise<readonly LearnedMerchant[]> {
  const rows = await db.query<MerchantRow>(merchants, [merchantIds]);
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
      segments: (row.segments ?? []).map((item) => ({ ...item, since: new Date(item.since) })),
      policySince: row.policy_since,
    }),
  );
}

/**
 * Payments by the arm that they belong to, and tries by the arm of their own decision: a payment of
 * the learned arm has explored tries too. Of each merchant `$1` from its time `$2` on: sums of the weeks
 * from `$3` on, and the payments that failed before these.
 */
const sum: Statement = {
  name: 'sum_experiment_arms',
  text: `
    with asked as materialized (
      select * from unnest($1::text[], $2::timestamptz[], $3::date[])
        as i (merchant_id, since, week)
    ),
    counted as (
      select s.merchant_id, s.arm, s.payer_group, s.payments, s.recovered, s.tries, s.succeeded
      from asked i join experiment_sums s on s.merchant_id = i.merchant_id and s.week >= i.week
      union all
      select i.merchant_id, a.arm, u.payer_group, a.payments, a.recovered, a.tries, a.succeeded
      from asked i
      cross join lateral (
        select u.* from uplift_payments u
        where u.merchant_id = i.merchant_id and u.failed_at >= i.since
          and u.failed_at < i.week::timestamp at time zone 'UTC'
        offset 0
      ) u
      cross join lateral (${armsOf('u')}) a
    )
    select merchant_id, arm, payer_group as "group", sum(payments)::int as payments,
           sum(recovered)::int as recovered, sum(tries)::int as tries,
           sum(succeeded)::int as succeeded
    from counted
    group by merchant_id, arm, payer_group having sum(payments) > 0 or sum(tries) > 0
    order by merchant_id, arm, payer_group`,
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
    asked.map(({ from }) => inWeeks(from, undefined).whole[0]?.toISOString().slice(0, 10)),
  ]);
  return rows.map(({ merchant_id, ...row }) => ({ merchantId: merchant_id, ...row }));
}
