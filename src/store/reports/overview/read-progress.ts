import type { Queryable, Statement } from '../../database.ts';

const progress: Statement = {
  name: 'read_rollup_progress',
  text: `
    select case when through_at = '-infinity' then null else through_at end as through_at
    from rollup_progress where name = $1`,
};

/** Until when everything is counted; undefined before the first count. */
export async function readAsOf(
  db: Queryable,
  name: 'payments' | 'charges' | 'card_limits',
): Promise<Date | undefined> {
  const [row] = await db.query<{ through_at: Date | null }>(progress, [name]);
  return row?.through_at ?? undefined;
}
