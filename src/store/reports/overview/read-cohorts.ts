import { dayMs, secondMs } from '../../../domain/clock.ts';
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

/** What each payment of the uplift's sums is a part of, and its name: said once for each cell, not for each payment. */
const parts: Readonly<Record<CohortPart, { readonly of: string; readonly name: string }>> = {
  month: {
    of: `date_trunc('month', failed_at at time zone 'UTC')`,
    name: `to_char(part, 'YYYY-MM')`,
  },
  policy: { of: 'arm', name: 'part' },
  decline_class: { of: 'decline_class', name: 'part' },
};

/** Days in floating point: in exact decimals they take as long as the rest of the statement. */
const statementOf = (by: CohortPart): Statement => ({
  name: `cohorts_by_${by}`,
  text: `
    select ${parts[by].name} as part, age, won_on, payments
    from (
      select ${parts[by].of} as part,
        floor(least(date_part('epoch', $4::timestamptz - failed_at) / ${dayMs / secondMs},
          ${maxCohortDay}))::int as age,
        least(won_after_ms / ${dayMs}, ${maxCohortDay})::int as won_on,
        count(*)::int as payments
      from uplift_payments
      where ($1::text[] is null or merchant_id = any($1))
        and failed_at >= coalesce($2::timestamptz, '-infinity')
        and failed_at < least(coalesce($3::timestamptz, 'infinity'), $4::timestamptz)
      group by 1, 2, 3
    ) c`,
});

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
  const [rows, asOf] = await Promise.all([
    db.query<CellRow>(statements[by], [merchantIds, from, to, now]),
    readAsOf(db, 'uplift'),
  ]);
  return { curves: cohortCurves(rows.map(toCell)), ...present({ asOf }) };
}

function toCell(row: CellRow): CohortCell {
  const { part, age, payments } = row;
  return { part, age, payments, ...present({ wonOn: row.won_on ?? undefined }) };
}
