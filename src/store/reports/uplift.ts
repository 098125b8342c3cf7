import { dayMs } from '../../domain/clock.ts';
import type {
  UpliftArm,
  UpliftDimension,
  UpliftGroup,
  UpliftQuery,
} from '../../recovery/uplift.ts';
import type { Queryable, Statement } from '../database.ts';
import { weekOf } from '../rollups/uplift-facts.ts';
import { inWeeks, weekText } from './whole-weeks.ts';

/** The sums of a cell, each weighed: of a payment held out, as many payments as it stands for. */
const columns = [
  'payments',
  'failed_minor',
  'recovered',
  'recovered_minor',
  'net_minor',
  'paid_otherwise',
  'tries',
  'won_after_ms',
  'fees_micros',
  'open',
  'other_fees',
] as const;
const summed = (weight: string): string =>
  columns.map((column) => `sum(${column}${weight})::float8 as ${column}`).join(', ');
/** Payments themselves, however they are weighed. */
const counted = 'sum(payments)::float8 as counted';

/**
 * The kept sums of the whole weeks, `$2` to `$3`, and the payments of the days at the ends, the times
 * from `$4` to `$5`; `$1` merchant or null.
 */
const cells = `
  asked as materialized (
    select merchant_id from merchants where $1::text[] is null or merchant_id = any($1)
  ),
  kept as (
    select merchant_id, week, currency, arm, payer_group, decline_class, method,
           ${columns.map((column) => `${column}::float8 as ${column}`).join(', ')}
    from asked join uplift_sums s using (merchant_id)
    where s.week >= coalesce($2::date, '-infinity') and s.week < coalesce($3::date, 'infinity')
    union all
    select a.merchant_id, f.*
    from asked a
    cross join unnest($4::timestamptz[], $5::timestamptz[]) as e (since, until)
    cross join lateral (
      select ${weekOf('u.failed_at')}, u.currency, u.arm, u.payer_group, u.decline_class, u.method,
             1, u.amount_minor, (u.won_minor is not null)::int, coalesce(u.won_minor, 0), u.net_minor,
             u.is_paid::int, u.tries, coalesce(u.won_after_ms, 0), u.fees_micros, u.is_open::int,
             u.has_other_fees::int
      from uplift_payments u
      where u.merchant_id = a.merchant_id and u.failed_at >= e.since and u.failed_at < e.until
      offset 0
    ) f
  )`;

/**
 * What of `cells` is compared: a week of a merchant in which one of the two arms has no payment is left
 * out, and each payment held out counts as many times as there are learned ones beside it.
 */
const comparison = `
  beside as materialized (
    select merchant_id, week, currency,
           sum(payments) filter (where arm = 'learned') as learned,
           sum(payments) filter (where arm = 'holdout') as holdout
    from cells where arm in ('learned', 'holdout') group by 1, 2, 3
  ),
  comparison as (
    select c.*, case c.arm when 'learned' then 1 else b.learned / b.holdout end as weight
    from cells c join beside b using (merchant_id, week, currency)
    where c.arm in ('learned', 'holdout') and b.learned > 0 and b.holdout > 0
  )`;

/** Of the comparison, by currency alone. */
const compared: Statement = {
  name: 'sum_compared_uplift',
  text: `
    with ${cells},
    cells as materialized (
      select merchant_id, week, currency, arm, payer_group, ${summed('')}
      from kept where arm in ('learned', 'holdout')
      group by 1, 2, 3, 4, 5
    ),
    ${comparison}
    select true as compared, currency, arm, payer_group as "group", 'all' as dimension, '' as part,
           ${counted}, ${summed(' * weight')}
    from comparison
    group by currency, arm, payer_group`,
};

/**
 * In all dimensions: the cells are first added up over merchants and weeks, so that few are split
 * three ways. Apart from those by week: grouping sets of both would sort all cells.
 */
const parts: Statement = {
  name: 'sum_uplift',
  text: `
    with ${cells},
    cells as materialized (select * from kept),
    ${comparison},
    weighed as (
      select false as compared, c.*, 1::float8 as weight from cells c
      union all
      select true, c.* from comparison c
    ),
    reduced as materialized (
      select compared, currency, arm, payer_group, decline_class, method, ${counted},
             ${summed(' * weight')}
      from weighed group by 1, 2, 3, 4, 5, 6
    )
    select compared, currency, arm, payer_group as "group", 'cohort' as dimension,
           to_char(week, 'YYYY-MM-DD') as part, ${counted}, ${summed(' * weight')}
    from weighed group by compared, currency, arm, payer_group, week
    union all
    select compared, currency, arm, payer_group,
           case when grouping(decline_class) = 0 then 'decline_class'
                when grouping(method) = 0 then 'method' else 'all' end,
           coalesce(decline_class, method, ''), sum(counted), ${summed('')}
    from reduced
    group by grouping sets (
      (compared, currency, arm, payer_group),
      (compared, currency, arm, payer_group, decline_class),
      (compared, currency, arm, payer_group, method))`,
};

interface Row {
  readonly compared: boolean;
  readonly currency: string;
  readonly arm: UpliftArm;
  readonly group: number;
  readonly dimension: UpliftDimension;
  readonly part: string;
  readonly counted: number;
  readonly payments: number;
  readonly failed_minor: number;
  readonly recovered: number;
  readonly recovered_minor: number;
  readonly net_minor: number;
  readonly paid_otherwise: number;
  readonly tries: number;
  readonly won_after_ms: number;
  readonly fees_micros: number;
  readonly open: number;
  readonly other_fees: number;
}

/** What the uplift report is made of. */
export async function sumUplift(
  db: Queryable,
  query: UpliftQuery,
): Promise<readonly UpliftGroup[]> {
  return (await db.query<Row>(parts, valuesOf(query))).map(toGroup);
}

/** What of it is compared, by currency alone: the dimension `all`. */
export async function sumCompared(
  db: Queryable,
  query: UpliftQuery,
): Promise<readonly UpliftGroup[]> {
  return (await db.query<Row>(compared, valuesOf(query))).map(toGroup);
}

function valuesOf({ merchantIds, since, until }: UpliftQuery): readonly unknown[] {
  const { weeks, edges } = inWeeks(since, until);
  return [
    merchantIds,
    ...weeks.map((week) => week && weekText(week)),
    edges.map(([from]) => from),
    edges.map(([, to]) => to),
  ];
}

function toGroup(row: Row): UpliftGroup {
  return {
    isCompared: row.compared,
    currency: row.currency,
    dimension: row.dimension,
    part: row.part,
    arm: row.arm,
    group: row.group,
    counted: row.counted,
    payments: row.payments,
    failedMinor: row.failed_minor,
    recovered: row.recovered,
    recoveredMinor: row.recovered_minor,
    netMinor: row.net_minor,
    paidOtherwise: row.paid_otherwise,
    tries: row.tries,
    daysToRecovery: row.won_after_ms / dayMs,
    feesMicros: row.fees_micros,
    open: row.open,
    otherFees: row.other_fees,
  };
}
