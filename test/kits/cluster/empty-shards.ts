import type pg from 'pg';

export async function isOnCitus(db: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await db.query(`select from pg_extension where extname = 'citus'`);
  return rows.length === 1;
}

/** For a transaction of a superuser: foreign keys are not looked at either. */
export const withoutTriggers = 'set local session_replication_role = replica';

/**
 * As `emptyTables`, where each table is empty itself and has its rows in a shard: what changes tables is refused on
 * the node that holds the shards. So rows are deleted, by a session for which triggers and foreign keys are off.
 */
export async function emptyShards(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select t.relname as name
     from pg_dist_shard s join pg_class t on t.oid = s.logicalrelid
     where t.relnamespace = current_schema()::regnamespace
       and pg_relation_size(to_regclass(format('%s_%s', t.oid::regclass, s.shardid))) > 0
     order by 1`,
  );
  const names = rows.map((row) => row.name).filter((name) => !kept.has(name));
  await client.query('begin');
  await client.query(withoutTriggers);
  for (const name of names) await client.query(`delete from ${name}`);
  await client.query('commit');
  await client.query(
    `select setval(seqrelid::regclass, seqmin, false) from pg_sequence
     where (select relnamespace from pg_class where oid = seqrelid) = current_schema()::regnamespace`,
  );
}

/** What a migration wrote. */
const kept = new Set(['migrations', 'wall', 'sandbox_clock', 'rollup_progress']);
