import type { DailyStatement } from '../../recovery/accounting/monthly-statement.ts';
import type { Queryable, Statement } from '../database.ts';

const since: Statement = {
  name: 'read_statements_since',
  text: `
    select body, hash from statements
    where merchant_id = $1 and day >= $2::date
    order by day`,
};

const months: Statement = {
  name: 'list_stated_months',
  text: `
    select to_char(day, 'YYYY-MM') as month, count(*)::int as days,
           max(day) + 1 = date_trunc('month', max(day)) + interval '1 month' as complete
    from statements where merchant_id = $1 group by 1 order by 1 desc`,
};

export interface StatedMonth {
  readonly month: string;
  /** The days of it that are stated. */
  readonly days: number;
  /** Whether its last day is stated. */
  readonly complete: boolean;
}

/** The months of which a merchant has a day stated, the newest first. */
export function listStatedMonths(
  db: Queryable,
  input: { readonly merchantId: string },
): Promise<readonly StatedMonth[]> {
  return db.query<StatedMonth>(months, [input.merchantId]);
}

/** A merchant's daily statements from the first day of a month on: later ones correct its days. */
export async function readStatementsSince(
  db: Queryable,
  input: { readonly merchantId: string; readonly month: string },
): Promise<readonly DailyStatement[]> {
  const values = [input.merchantId, `${input.month}-01`];
  const rows = await db.query<{ body: string; hash: string }>(since, values);
  return rows.map(({ body, hash }) => ({
    ...(JSON.parse(body) as Omit<DailyStatement, 'hash'>),
    hash,
  }));
}
