import { dayMs, hourMs } from '../../../domain/clock.ts';
import type { DeclineCategory } from '../../../domain/declines/decline.ts';
import { present } from '../../../domain/present.ts';
import { pressureAlerts } from '../../../recovery/alerts/alerts-of.ts';
import type {
  Cohort,
  CurrencyOverview,
  Outcome,
  Overview,
  OverviewQuery,
  SeriesPoint,
  Sum,
} from '../../../recovery/reports/overview.ts';
import type { Queryable, Statement } from '../../database.ts';
import { isCounted, paymentDimensions, recoveredAt } from '../../rollups/payment-dimensions.ts';
import { winningOf } from '../../views/amount-won.ts';
import { inWhole } from '../in-whole.ts';
import { readAlerts } from './read-alerts.ts';
import { readNetworkPressure } from './read-network-pressure.ts';
import { readPlanned } from './read-planned.ts';
import { readAsOf } from './read-progress.ts';

/**
 * What was not charged of payments that were recovered by less than had failed, as their merchants asked: the sums of
 * payments have the whole of it. `time`: what of payment `p` is within `$6` and before `$7`, an open end as null.
 */
const reduced = (time: string): string => `
  (select merchant_id from merchants where $1::text[] is null or merchant_id = any($1)) a
  cross join lateral (
    select u.invoice_id, u.amount_minor - u.won_minor as amount_minor from uplift_payments u
    where u.merchant_id = a.merchant_id and u.won_minor <> u.amount_minor
      and u.failed_at < coalesce($7::timestamptz, 'infinity')
    offset 0
  ) less
  cross join lateral (
    select ${paymentDimensions} from payments p
    where p.merchant_id = a.merchant_id and p.invoice_id = less.invoice_id and p.state = 'recovered'
      and ${time} >= coalesce($6::timestamptz, '-infinity')
      and ${time} < coalesce($7::timestamptz, 'infinity')
    offset 0
  ) f`;

/**
 * `$1` merchants or null; the kept sums of the whole UTC days from `$2` and before `$3`, an open end as null, and
 * the payments that came in from a time of `$4` and before that of `$5`, which lie on the days at the ends.
 */
const cohorts: Statement = {
  name: 'overview_cohorts',
  text: `
    select currency, category, outcome, sum(payments)::bigint as payments,
           sum(amount_minor)::bigint as amount_minor, sum(reduced_minor)::bigint as reduced_minor,
           sum(attempts)::bigint as attempts
    from (
      select currency, category, outcome, payments, amount_minor, 0 as reduced_minor, attempts
      from cohort_rollups
      where ($1::text[] is null or merchant_id = any($1))
        and day >= coalesce(($2::timestamptz at time zone 'UTC')::date, '-infinity')
        and day < coalesce(($3::timestamptz at time zone 'UTC')::date, 'infinity')
      union all
      select f.currency, f.category, f.outcome, 1, f.amount_minor, 0, f.attempts
      from (
        select merchant_id from merchants where $1::text[] is null or merchant_id = any($1)
      ) a
      cross join unnest($4::timestamptz[], $5::timestamptz[]) as e (since, until)
      cross join lateral (
        select ${paymentDimensions} from payments p
        where p.merchant_id = a.merchant_id and p.created_at >= e.since and p.created_at < e.until
          and ${isCounted('p')}
        offset 0
      ) f
      union all
      select f.currency, f.category, f.outcome, 0, 0, less.amount_minor, 0
      from ${reduced('p.created_at')}
    ) c
    group by 1, 2, 3 having sum(payments) > 0`,
};

const atRisk: Statement = {
  name: 'overview_at_risk',
  text: `
    select currency, sum(payments)::bigint as payments, sum(amount_minor)::bigint as amount_minor
    from cohort_rollups
    where outcome = 'open' and ($1::text[] is null or merchant_id = any($1))
    group by 1 having sum(payments) > 0`,
};

/** As the cohorts, with whole hours. At the ends those whose charge succeeded then are looked up by it. */
const series: Statement = {
  name: 'overview_series',
  text: `
    select currency, date_trunc($8, at, 'UTC') as at,
           sum(payments)::bigint as payments, sum(amount_minor)::bigint as amount_minor
    from (
      select currency, hour as at, payments, amount_minor
      from recovered_rollups
      where ($1::text[] is null or merchant_id = any($1))
        and hour >= coalesce($2::timestamptz, '-infinity')
        and hour < coalesce($3::timestamptz, 'infinity')
      union all
      select f.currency, f.recovered_hour, 1, f.amount_minor
      from unnest($4::timestamptz[], $5::timestamptz[]) as e (since, until)
      cross join lateral (
        select ${paymentDimensions} from payments p
        join psp_transactions w on w.merchant_id = p.merchant_id and w.invoice_id = p.invoice_id
        where w.settled_at >= e.since and w.settled_at < e.until and w.state = 'succeeded'
          and not w.contradicts and p.state = 'recovered'
          and ($1::text[] is null or p.merchant_id = any($1))
        union all
        select ${paymentDimensions} from payments p
        where p.updated_at >= e.since and p.updated_at < e.until and p.state = 'recovered'
          and not exists (select from ${winningOf('p')})
          and ($1::text[] is null or p.merchant_id = any($1))
        offset 0
      ) f
      union all
      select f.currency, f.recovered_hour, 0, -less.amount_minor
      from ${reduced(recoveredAt)}
    ) r
    group by 1, 2 having sum(payments) > 0
    order by 1, 2`,
};

interface SumRow {
  readonly currency: string;
  readonly payments: number;
  readonly amount_minor: number;
}

interface CohortRow extends SumRow {
  readonly category: DeclineCategory;
  readonly outcome: Outcome;
  /** Of the amount that failed: not charged, since merchants asked for less. */
  readonly reduced_minor: number;
  readonly attempts: number;
}

interface SeriesRow extends SumRow {
  readonly at: Date;
}

/** Beyond this many days a point is a UTC day: hours would be some thousand points to a currency. */
const maxHourlyMs = 35 * dayMs;

/** The whole overview, from sums alone. */
export async function readOverview(db: Queryable, query: OverviewQuery): Promise<Overview> {
  const { merchantIds, from, to, now } = query;
  const lengthMs = from === undefined ? undefined : (to ?? now).getTime() - from.getTime();
  const seriesStep = lengthMs !== undefined && lengthMs <= maxHourlyMs ? 'hour' : 'day';
  // Nothing was recovered before 1970, and the database has no times of ten thousand years ago.
  const before =
    from === undefined || lengthMs === undefined
      ? undefined
      : new Date(Math.max(0, from.getTime() - lengthMs));
  const asOf = await readAsOf(db, 'payments');
  const [cohortRows, riskRows, seriesRows, beforeRows, planned, pressure, alerts] =
    await Promise.all([
      db.query<CohortRow>(cohorts, [merchantIds, ...timesIn(dayMs, { from, to })]),
      db.query<SumRow>(atRisk, [merchantIds]),
      db.query<SeriesRow>(series, [merchantIds, ...timesIn(hourMs, { from, to }), seriesStep]),
      before === undefined
        ? []
        : db.query<SeriesRow>(series, [
            merchantIds,
            ...timesIn(hourMs, { from: before, to: from }),
            'day',
          ]),
      readPlanned(db, query),
      readNetworkPressure(db, query),
      readAlerts(db, query),
    ]);
  const rows = { cohorts: cohortRows, risk: riskRows, series: seriesRows, before: beforeRows };
  const names = new Set([...cohortRows, ...riskRows, ...seriesRows].map((row) => row.currency));
  const currencies = [...names].map((currency) =>
    currencyOverview(currency, rows, before !== undefined),
  );
  // Most money first: what an operator looks at.
  currencies.sort((a, b) => weight(b) - weight(a) || a.currency.localeCompare(b.currency));
  return {
    seriesStep,
    currencies,
    planned,
    networkPressure: pressure,
    alerts: [...alerts, ...pressureAlerts(pressure)],
    ...present({ asOf }),
  };
}

/** A time in whole steps and its edges, and as it is, as the statements take it. */
function timesIn(lengthMs: number, time: Parameters<typeof inWhole>[1]): readonly unknown[] {
  const { whole, edges } = inWhole({ lengthMs }, time);
  const [since, until] = [0, 1].map((end) => edges.map((edge) => edge[end]));
  return [...whole, since, until, time.from, time.to];
}

function weight({ cohort, atRisk: risk }: CurrencyOverview): number {
  return cohort.payments + risk.payments;
}

function currencyOverview(
  currency: string,
  rows: {
    readonly cohorts: readonly CohortRow[];
    readonly risk: readonly SumRow[];
    readonly series: readonly SeriesRow[];
    readonly before: readonly SeriesRow[];
  },
  hasBefore: boolean,
): CurrencyOverview {
  const isOwn = (row: { readonly currency: string }): boolean => row.currency === currency;
  const own = rows.cohorts.filter(isOwn);
  const ofSeries = rows.series.filter(isOwn);
  const categories = [...new Set(own.map((row) => row.category))].sort();
  return {
    currency,
    recovered: sumOf(ofSeries),
    ...(hasBefore && { recoveredBefore: sumOf(rows.before.filter(isOwn)) }),
    atRisk: sumOf(rows.risk.filter(isOwn)),
    cohort: cohortOf(own),
    funnel: categories.map((category) => ({
      category,
      ...cohortOf(own.filter((row) => row.category === category)),
    })),
    series: ofSeries.map(toPoint),
  };
}

function cohortOf(rows: readonly CohortRow[]): Cohort {
  const ofOutcome = (outcome: Outcome): Sum => {
    const own = rows.filter((row) => row.outcome === outcome);
    const { payments, amountMinor } = sumOf(own);
    return { payments, amountMinor: amountMinor - sum(own, 'reduced_minor') };
  };
  return {
    ...sumOf(rows),
    attempts: sum(rows, 'attempts'),
    outcomes: {
      open: ofOutcome('open'),
      recovered: ofOutcome('recovered'),
      stopped: ofOutcome('stopped'),
      exhausted: ofOutcome('exhausted'),
    },
  };
}

function sumOf(rows: readonly SumRow[]): Sum {
  return { payments: sum(rows, 'payments'), amountMinor: sum(rows, 'amount_minor') };
}

function sum<Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  of: Name,
): number {
  return rows.reduce((total, row) => total + row[of], 0);
}

function toPoint(row: SeriesRow): SeriesPoint {
  return {
    at: row.at,
    payments: row.payments,
    amountMinor: row.amount_minor,
  };
}
