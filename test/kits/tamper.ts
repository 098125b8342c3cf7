import type pg from 'pg';
import { isOnCitus, withoutTriggers } from './cluster/empty-shards.ts';

/** Changes rows whose tables refuse it by triggers, as whoever owns the tables can: with the triggers off. */
export async function tamper(
  db: Pick<pg.Pool, 'query'>,
  tables: readonly string[],
  statements: readonly string[],
): Promise<void> {
  const switched = (how: string) =>
    tables.map((table) => `alter table ${table} ${how} trigger user`);
  const all = (await isOnCitus(db))
    ? ['begin', withoutTriggers, ...statements, 'commit']
    : [...switched('disable'), ...statements, ...switched('enable')];
  // Several in one message are one transaction.
  await db.query(all.join('; '));
}
