import type pg from 'pg';
import { runOnNodes, schemaOnNodes } from '../migrating/on-nodes.ts';
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
