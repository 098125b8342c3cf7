import type { Queryable, Statement } from '../../database.ts';

const progress: Statement = {
  name: 'read_rollup_progress',
  text: `
    select case when min(through_at) = '-infinity' then null else min(through_at) end as through_at
    from rollup_progress where name = any ($1)`,
};

/**
 * Until when everything is counted; undefined before the first count. It is asked before the sums that it is
 * said of: sums that are read first may lack what was counted meanwhile, and whoever believes the time of them
 * never looks again.
 */
export async function readAsOf(
  db: Queryable,
  name: 'payments' | 'charges' | 'card_limits' | 'uplift',
): Promise<Date | undefined> {
  const names = name === 'uplift' ? ['uplift', 'uplift_disputes'] : [name];
  const [row] = await db.query<{ through_at: Date | null }>(progress, [names]);
  return row?.through_at ?? undefined;
}
