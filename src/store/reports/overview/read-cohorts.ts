import { dayMs } from '../../../domain/clock.ts';
import { present } from '../../../domain/present.ts';
import {
  type CohortCell,
  type CohortCurve,
  type CohortPart,
  type CohortQuery,
  cohortCurves,
  maxCohortDay,
} from '../../../recovery/reports/cohorts.ts';
import type { Queryable, Statement } from '../../database.ts';
import { readAsOf } from './read-progress.ts';

/** Where months begin, from that of the first failure on. */
const months = `
  select date_trunc('month', at, 'UTC') from generate_series(
    (select date_trunc('month', min(first.failed_at), 'UTC') from merchants m cross join lateral (
       select failed_at from uplift_payments u
       where u.merchant_id = m.merchant_id order by failed_at limit 1
     ) first),
    $4::timestamptz, interval '1 month') as at`;

/** What each payment of the uplift's sums is a part of: `of` of its row, or by the bound before it. */
const parts: Readonly<Record<CohortPart, { readonly of?: string; readonly bounds?: string }>> = {
  month: { bounds: months },
  policy: { of: 'arm' },
  decline_class: { of: 'decline_class' },
};

/**
 * All that depends on the time of the failure is read off its place among bounds, those of whole days of
 * age and of months: a search in sixty times takes a third of what arithmetic with times and zones does.
 * What failed before a day's bound, a microsecond after it, is that old.
 */
const statementOf = (by: CohortPart): Statement => {
  const { of, bounds } = parts[by];
  return {
    name: `cohorts_by_${by}`,
    plans: 'anew',
    text: `
    with ages as materialized (
      select $4::timestamptz - k * interval '24 hours' + interval '1 microsecond' as at
      from generate_series(1, ${maxCohortDay + 1}) k
    ),
    bounds as materialized (
      select array_agg(distinct at order by at) as at
      from (select at from ages ${bounds === undefined ? '' : `union all ${bounds}`}) b
    )
    select ${of === undefined ? `to_char(bound at time zone 'UTC', 'YYYY-MM')` : 'part'} as part,
           (select count(*)::int from ages where bound is null or at > bound) as age, won_on, payments
    from (
      select ${of ?? 'null'} as part, width_bucket(failed_at, (select at from bounds)) as place,
        least(won_after_ms / ${dayMs}, ${maxCohortDay})::int as won_on, count(*)::int as payments
      from uplift_payments
      where ($1::text[] is null or merchant_id = any($1))
        and failed_at >= coalesce($2::timestamptz, '-infinity')
        and failed_at < least(coalesce($3::timestamptz, 'infinity'), $4::timestamptz)
      group by 1, 2, 3
    ) c
    cross join lateral (select at[place] as bound from bounds) b`,
  };
};

const statements: Readonly<Record<CohortPart, Statement>> = {
  month: statementOf('month'),
  policy: statementOf('policy'),
  decline_class: statementOf('decline_class'),
};

interface CellRow {
  readonly part: string;
  readonly age: number;
  readonly won_on: number | null;
  readonly payments: number;
}

/** Recovered by day since the failure, of each part; until when all changes are counted. */
export async function readCohorts(
  db: Queryable,
  { merchantIds, from, to, by, now }: CohortQuery,
): Promise<{ readonly curves: readonly CohortCurve[]; readonly asOf?: Date }> {
  const asOf = await readAsOf(db, 'uplift');
  const rows = await db.query<CellRow>(statements[by], [merchantIds, from, to, now]);
  return { curves: cohortCurves(rows.map(toCell)), ...present({ asOf }) };
}

function toCell(row: CellRow): CohortCell {
  const { part, age, payments } = row;
  return { part, age, payments, ...present({ wonOn: row.won_on ?? undefined }) };
}
