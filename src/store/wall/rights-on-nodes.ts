import type pg from 'pg';
import { viewRightsSql } from './rights.ts';
import type { Roles } from './roles.ts';

/**
 * Gives the roles on each node of Citus what it does not hand on by itself, the rights of views. Not in the
 * transaction of the migrations: it holds on the nodes what a command of theirs would wait for.
 */
export async function giveRightsOnNodes(client: pg.Client, roles: Roles): Promise<void> {
  const schema = await schemaOnNodes(client);
  if (schema === undefined) return;
  for (const statement of viewRightsSql(schema, roles)) await runOnNodes(client, statement);
}

/** Of a distributed cell, at the coordinator. */
async function schemaOnNodes(client: pg.Client): Promise<string | undefined> {
  const citus = await client.query(`select 1 from pg_extension where extname = 'citus'`);
  if (citus.rows.length === 0) return undefined;
  const { rows } = await client.query<{ schema: string }>(
    `select quote_ident(current_schema()) as schema from pg_dist_schema
     where schemaid = current_schema()::regnamespace and citus_is_coordinator()`,
  );
  return rows[0]?.schema;
}

/** By the nodes themselves, which take such a statement only as one of their own. */
async function runOnNodes(client: pg.Client, statement: string): Promise<void> {
  const own = `set_config('citus.enable_ddl_propagation', 'off', true)`;
  const block = `do $do$ begin perform ${own}; execute $run$${statement}$run$; end $do$`;
  const { rows } = await client.query<{ result: string }>(
    'select result from run_command_on_workers($1) where not success limit 1',
    [block],
  );
  const [failed] = rows;
  if (failed !== undefined) throw new Error(`a node of Citus says: ${failed.result}`);
}
