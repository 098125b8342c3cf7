import type pg from 'pg';

export async function isOnCitus(db: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await db.query(`select from pg_extension where extname = 'citus'`);
  return rows.length === 1;
}

/** For a transaction of a superuser: foreign keys are not looked at either. */
export const withoutTriggers = 'set local session_replication_role = replica';

export interface UsedTable {
  readonly name: string;
  readonly bytes: number;
}

/** Of tables whose rows are in shards, those with rows, or with what is left of them. */
export async function usedShards(client: pg.ClientBase): Promise<readonly UsedTable[]> {
  const { rows } = await client.query<UsedTable>(
    `select name, bytes::int from (
       select t.relname as name,
         pg_relation_size(to_regclass(format('%s_%s', t.oid::regclass, s.shardid))) as bytes
       from pg_dist_shard s join pg_class t on t.oid = s.logicalrelid
       where t.relnamespace = current_schema()::regnamespace
     ) t
     where bytes > 0
     order by 1`,
  );
  return rows;
}

/**
 * Empties these tables, where each is empty itself and has its rows in a shard: what changes tables is refused on the node
 * that holds the shards. So rows are deleted, by a session for which triggers and foreign keys are off.
 */
export async function emptyShards(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  await client.query('begin');
  await client.query(withoutTriggers);
  for (const name of names) await client.query(`delete from ${name}`);
  await client.query('commit');
  await client.query(
    `select setval(seqrelid::regclass, seqmin, false) from pg_sequence
     where (select relnamespace from pg_class where oid = seqrelid) = current_schema()::regnamespace`,
  );
}
