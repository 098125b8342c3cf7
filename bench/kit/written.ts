import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';

/** What the database wrote for one operation, on average. */
export interface Written {
  readonly inserted: number;
  readonly updated: number;
  /** Share of the updates that entered no index (heap-only tuples). */
  readonly hotShare: number;
  readonly deleted: number;
}

/** A connection tells the statistics what it did after ten idle seconds at the latest (pgstat.c). */
const toldWithinMs = 10_500;

const rows = `
  select sum(n_tup_ins)::float8 - coalesce(sum(n_tup_ins) filter (where relname = 'payments'), 0)::float8
           as inserted,
         sum(n_tup_upd)::float8 as updated, sum(n_tup_hot_upd)::float8 as hot,
         sum(n_tup_del)::float8 as deleted
  from pg_stat_user_tables`;

/** Rows written since the database was made, for each of `count` attempts; not the payments' own. */
export async function writtenByOne(client: pg.ClientBase, count: number): Promise<Written> {
  await wait(toldWithinMs);
  const { rows: found } =
    await client.query<Record<'inserted' | 'updated' | 'hot' | 'deleted', number>>(rows);
  const sums = found[0] ?? { inserted: 0, updated: 0, hot: 0, deleted: 0 };
  return {
    inserted: sums.inserted / count,
    updated: sums.updated / count,
    hotShare: sums.hot / Math.max(1, sums.updated),
    deleted: sums.deleted / count,
  };
}

/** How far the write-ahead log has come, in bytes. */
export async function logPosition(client: pg.ClientBase): Promise<number> {
  const { rows: found } = await client.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  );
  return found[0]?.bytes ?? 0;
}
