import type pg from 'pg';
import { runOnNodes, schemaOnNodes } from '../migrating/on-nodes.ts';

/**
 * SQL of the highest number of requests that is known, of one merchant or of all, or null: an update of a payment
 * method is left out where a later one was applied, whose request may be gone by now.
 */
export function latestSql({ prefix = '', only = '' } = {}): string {
  return `greatest((select max(sequence) from ${prefix}requests ${only}),
                   (select max(last_sequence) from ${prefix}payment_methods ${only}))`;
}

/** Has the next request numbered above it. Where it is so already, others may be taking numbers just now. */
export function goOnAboveSql(latest: string, prefix = ''): string {
  return `setval('${prefix}request_sequence', ${latest})
    where (select last_value - (not is_called)::int from ${prefix}request_sequence) < ${latest}`;
}

/**
 * Each node of Citus numbers in a range of its own. So that a cell which comes from a node of higher numbers, or a
 * merchant of such a cell, goes on above them, a range has no end but that of the numbers.
 */
export async function goOnAboveOnNodes(client: pg.Client): Promise<void> {
  const schema = await schemaOnNodes(client);
  if (schema === undefined) return;
  const prefix = `${schema}.`;
  await runOnNodes(
    client,
    `do $order$
    declare
      latest bigint;
    begin
      if (select seqmax from pg_sequence where seqrelid = '${prefix}request_sequence'::regclass)
         < 9223372036854775807
      then
        alter sequence ${prefix}request_sequence no maxvalue;
      end if;
      latest := ${latestSql({ prefix })};
      perform ${goOnAboveSql('latest', prefix)};
    end $order$`,
  );
}
