import type { Queryable, Statement } from '../database.ts';

/** The one statement of the engine that asks the server's clock: all others are given the time. */
const ask: Statement = {
  name: 'read_time',
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
};

/** The database's present time, in milliseconds since 1970. */
export async function readTime(db: Queryable): Promise<number> {
  const [row] = await db.query<{ ms: number }>(ask, []);
  if (row === undefined) throw new Error('the database told no time');
  return row.ms;
}
