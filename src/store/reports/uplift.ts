import { dayMs } from '../../domain/clock.ts';
import type {
  UpliftArm,
  UpliftDimension,
  UpliftGroup,
  UpliftQuery,
  UpliftSums,
} from '../../recovery/uplift.ts';
import type { Queryable, Statement } from '../database.ts';
import { weekOf } from '../rollups/uplift-facts.ts';
import { inWeeks, weekText } from './whole-weeks.ts';

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
type SumColumn = (typeof columns)[number];

/** The sums of cells, and those of the compared ones, weighed. */
const summed = (of: 'cell' | 'sum'): string =>
  columns
    .flatMap((column) => [
      `sum(${column}) as ${column}`,
      of === 'cell'
        ? `sum(${column} * weight) as compared_${column}`
        : `sum(compared_${column}) as compared_${column}`,
    ])
    .join(', ');
/** Compared payments themselves, however they are weighed. */
const counted = 'sum(case when weight is not null then payments end) as counted';

/** A condition that may be absent would be one plan for both: all sums read for those of one merchant. */
type Whose = 'all' | 'some';
const allOrSome = (statement: (whose: Whose) => Statement) => ({
  all: statement('all'),
  some: statement('some'),
});

/**
 * The kept sums of the whole weeks, `$2` to `$3`, and the payments of the days at the ends, the times
 * from `$4` to `$5`; `$1` merchants or null. Kept sums are read where they are needed, each time anew: a copy of
 * them is larger than a statement's memory, and to write it takes longer.
 */
const cells = (whose: Whose): string => `
  ends as materialized (
    select a.merchant_id, f.week, f.currency, f.arm, f.payer_group, f.decline_class, f.method,
           ${columns.map((column) => `sum(f.${column})::float8 as ${column}`).join(', ')}
    from (
      select merchant_id from merchants where $1::text[] is null or merchant_id = any($1)
    ) a
    cross join unnest($4::timestamptz[], $5::timestamptz[]) as e (since, until)
    cross join lateral (
      select ${weekOf('u.failed_at')} as week, u.currency, u.arm, u.payer_group, u.decline_class, u.method,
             1 as payments, u.amount_minor as failed_minor, (u.won_minor is not null)::int as recovered,
             coalesce(u.won_minor, 0) as recovered_minor, u.net_minor, u.is_paid::int as paid_otherwise,
             u.tries, coalesce(u.won_after_ms, 0) as won_after_ms, u.fees_micros,
             u.is_open::int as open, u.has_other_fees::int as other_fees
      from uplift_payments u
      where u.merchant_id = a.merchant_id and u.failed_at >= e.since and u.failed_at < e.until
      offset 0
    ) f
    group by 1, 2, 3, 4, 5, 6, 7
  ),
  cells as not materialized (
    select merchant_id, week, currency, arm, payer_group, decline_class, method,
           ${columns.map((column) => `${column}::float8 as ${column}`).join(', ')}
    from uplift_sums
    where ${whose === 'all' ? '' : 'merchant_id = any($1) and '}week >= coalesce($2::date, '-infinity') and week < coalesce($3::date, 'infinity')
    union all
    select * from ends
  )`;

/**
 * What of them is compared: a week of a merchant in which one of the two arms has no payment is left
 * out, and each payment held out counts as many times as there are learned ones beside it. Of merchants with
 * learned payments, those from before any model are there too, each once: their former schedule. The comparison goes through arrays since the planner takes these for short, and so looks weights up by a hash
 * instead of sorting all cells.
 */
const comparison = `
  of_groups as materialized (
    select merchant_id, week, currency, arm, payer_group,
           ${columns.map((column) => `sum(${column}) as ${column}`).join(', ')}
    from cells group by 1, 2, 3, 4, 5
  ),
  beside as (
    select merchant_id, week, currency,
           sum(payments) filter (where arm = 'learned') as learned,
           sum(payments) filter (where arm = 'holdout') as holdout
    from of_groups group by 1, 2, 3
  ),
  both_arms as materialized (
    select array_agg(merchant_id) as merchants, array_agg(week) as weeks,
           array_agg(currency) as currencies, array_agg(learned / holdout) as weights
    from beside where learned > 0 and holdout > 0
  ),
  learners as materialized (
    select distinct merchant_id from of_groups where arm = 'learned'
  )`;

/** `of`, cells or sums of them, each with its weight, worked out once (`offset 0`); null where it is not compared. */
const weighed = (of: 'cells' | 'of_groups'): string => `
  (select c.*,
          case c.arm
            when 'learned' then b.each_learned
            when 'holdout' then b.each_holdout
            when 'none' then case when c.merchant_id in (select merchant_id from learners) then 1 end
          end as weight
   from ${of} c
   left join (
     select w.*, 1 as each_learned
     from both_arms a, unnest(a.merchants, a.weeks, a.currencies, a.weights)
       as w (merchant_id, week, currency, each_holdout)
   ) b using (merchant_id, week, currency)
   offset 0) w`;

/** Of the comparison with the holdout, by currency alone. */
const compared = allOrSome((whose) => ({
  name: `sum_compared_uplift_of_${whose}`,
  text: `
    with ${cells(whose)}, ${comparison}
    select currency, arm, payer_group as "group", 'all' as dimension, '' as part, ${counted},
           ${summed('cell')}
    from ${weighed('of_groups')} where weight is not null and arm <> 'none'
    group by currency, arm, payer_group`,
}));

/**
 * In all dimensions: the cells are first added up over weeks, or over classes and methods, so that few
 * are split three ways. Apart from each other: grouping sets of both would sort all cells.
 */
const parts = allOrSome((whose) => ({
  name: `sum_uplift_of_${whose}`,
  text: `
    with ${cells(whose)}, ${comparison},
    reduced as materialized (
      select currency, arm, payer_group, decline_class, method, ${counted}, ${summed('cell')}
      from ${weighed('cells')} group by 1, 2, 3, 4, 5
    )
    select currency, arm, payer_group as "group", 'cohort' as dimension,
           to_char(week, 'YYYY-MM-DD') as part, ${counted}, ${summed('cell')}
    from ${weighed('of_groups')} group by currency, arm, payer_group, week
    union all
    select currency, arm, payer_group,
           case when grouping(decline_class) = 0 then 'decline_class'
                when grouping(method) = 0 then 'method' else 'all' end,
           coalesce(decline_class, method, ''), sum(counted), ${summed('sum')}
    from reduced
    group by grouping sets (
      (currency, arm, payer_group),
      (currency, arm, payer_group, decline_class),
      (currency, arm, payer_group, method))`,
}));

type SumsRow = Readonly<Record<SumColumn, number>> &
  Readonly<Record<`compared_${SumColumn}`, number | null>>;

interface Row extends SumsRow {
  readonly currency: string;
  readonly arm: UpliftArm;
  readonly group: number;
  readonly dimension: UpliftDimension;
  readonly part: string;
  /** Null where nothing of it is compared. */
  readonly counted: number | null;
}

/** What the uplift report is made of. */
export async function sumUplift(
  db: Queryable,
  query: UpliftQuery,
): Promise<readonly UpliftGroup[]> {
  const rows = await db.query<Row>(parts[whoseOf(query)], valuesOf(query));
  return [...rows.map(toGroup), ...rows.flatMap(toCompared)];
}

/** What of it is compared with the holdout, by currency alone: the dimension `all`. */
export async function sumCompared(
  db: Queryable,
  query: UpliftQuery,
): Promise<readonly UpliftGroup[]> {
  return (await db.query<Row>(compared[whoseOf(query)], valuesOf(query))).flatMap(toCompared);
}

function whoseOf({ merchantIds }: UpliftQuery): Whose {
  return merchantIds === undefined ? 'all' : 'some';
}

function valuesOf({ merchantIds, since, until }: UpliftQuery): readonly unknown[] {
  const { whole, edges } = inWeeks(since, until);
  return [
    merchantIds,
    ...whole.map((week) => week && weekText(week)),
    edges.map(([from]) => from),
    edges.map(([, to]) => to),
  ];
}

function toGroup(row: Row): UpliftGroup {
  const sums = sumsOf((column) => row[column]);
  return { ...placeOf(row), isCompared: false, counted: row.payments, ...sums };
}

function toCompared(row: Row): readonly UpliftGroup[] {
  const { counted } = row;
  if (counted === null) return [];
  const sums = sumsOf((column) => row[`compared_${column}`] ?? 0);
  return [{ ...placeOf(row), isCompared: true, counted, ...sums }];
}

function placeOf({ currency, dimension, part, arm, group }: Row) {
  return { currency, dimension, part, arm, group };
}

function sumsOf(sum: (column: SumColumn) => number): Omit<UpliftSums, 'counted'> {
  return {
    payments: sum('payments'),
    failedMinor: sum('failed_minor'),
    recovered: sum('recovered'),
    recoveredMinor: sum('recovered_minor'),
    netMinor: sum('net_minor'),
    paidOtherwise: sum('paid_otherwise'),
    tries: sum('tries'),
    daysToRecovery: sum('won_after_ms') / dayMs,
    feesMicros: sum('fees_micros'),
    open: sum('open'),
    otherFees: sum('other_fees'),
  };
}
