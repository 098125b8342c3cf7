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

/** What each payment of the uplift's sums is a part of. */
const parts: Readonly<Record<CohortPart, string>> = {
  month: `to_char(failed_at at time zone 'UTC', 'YYYY-MM')`,
  policy: 'arm',
  decline_class: 'decline_class',
};

const statementOf = (by: CohortPart): Statement => ({
  name: `cohorts_by_${by}`,
  text: `
    select ${parts[by]} as part,
      least(floor(extract(epoch from $4::timestamptz - failed_at) * 1000 / ${dayMs}),
        ${maxCohortDay})::int as age,
      least(won_after_ms / ${dayMs}, ${maxCohortDay})::int as won_on,
      count(*)::int as payments
    from uplift_payments
    where ($1::text[] is null or merchant_id = any($1))
      and failed_at >= coalesce($2::timestamptz, '-infinity')
      and failed_at < least(coalesce($3::timestamptz, 'infinity'), $4::timestamptz)
    group by 1, 2, 3`,
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
