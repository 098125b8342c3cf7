import type pg from 'pg';

/** The schema of this connection, quoted, where Citus has its tables as shards of a node; else undefined. */
export async function distributedSchema(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<string | undefined> {
  const citus = await client.query(`select 1 from pg_extension where extname = 'citus'`);
  if (citus.rows.length === 0) return undefined;
  const { rows } = await client.query<{ schema: string }>(
    `select quote_ident(current_schema()) as schema from pg_dist_schema
     where schemaid = current_schema()::regnamespace`,
  );
  return rows[0]?.schema;
}

/** Whether a distributed schema's rows are at the node that this connection is to. */
export async function isAtNode(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_dist_shard s join pg_dist_placement p using (shardid)
     where s.logicalrelid = to_regclass('migrations')
       and p.groupid = (select groupid from pg_dist_local_group)`,
  );
  return rows.length > 0;
}
