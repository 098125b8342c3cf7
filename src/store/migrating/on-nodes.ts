import type pg from 'pg';
import { distributedSchema } from './distributed-schema.ts';

/** The schema of a cell that is distributed, quoted, for who is connected to Citus's coordinator; else undefined. */
export async function schemaOnNodes(client: pg.Client): Promise<string | undefined> {
  const schema = await distributedSchema(client);
  if (schema === undefined) return undefined;
  const { rows } = await client.query<{ is_it: boolean }>('select citus_is_coordinator() as is_it');
  return rows[0]?.is_it === true ? schema : undefined;
}

/** By each node itself, which takes a change of the schema only as one of its own. */
export async function runOnNodes(client: pg.Client, statement: string): Promise<void> {
  const own = `set_config('citus.enable_ddl_propagation', 'off', true)`;
  const block = `do $do$ begin perform ${own}; execute $run$${statement}$run$; end $do$`;
  const { rows } = await client.query<{ result: string }>(
    'select result from run_command_on_workers($1) where not success limit 1',
    [block],
  );
  const [failed] = rows;
  if (failed !== undefined) throw new Error(`a node of Citus says: ${failed.result}`);
}
