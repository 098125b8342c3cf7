import type pg from 'pg';
import { runOnNodes, schemaOnNodes } from '../migrating/on-nodes.ts';

/**
 * SQL by which requests that come later have higher numbers than those that are there, of one merchant or of all: an
 * update of a payment method is left out where a later one was applied, whose request may be gone by now.
 */
export function keepOrderSql({ prefix = '', only = '' } = {}): string {
  return `select setval('${prefix}request_sequence', greatest(
    (select last_value from ${prefix}request_sequence),
    (select coalesce(max(sequence), 1) from ${prefix}requests ${only}),
    (select coalesce(max(last_sequence), 1) from ${prefix}payment_methods ${only})))`;
}

/**
 * Each node of Citus numbers in a range of its own. So that a cell which comes from a node of higher numbers, or a
 * merchant of such a cell, goes on above them, a range has no end but that of the numbers.
 */
export async function keepOrderOnNodes(client: pg.Client): Promise<void> {
  const schema = await schemaOnNodes(client);
  if (schema === undefined) return;
  const prefix = `${schema}.`;
  await runOnNodes(client, `alter sequence ${prefix}request_sequence no maxvalue`);
  await runOnNodes(client, keepOrderSql({ prefix }));
}
