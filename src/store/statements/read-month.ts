import type { DailyStatement } from '../../recovery/accounting/monthly-statement.ts';
import type { Queryable, Statement } from '../database.ts';

const since: Statement = {
  name: 'read_statements_since',
  text: `
    select body, hash from statements
    where merchant_id = $1 and day >= $2::date
    order by day`,
};

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
