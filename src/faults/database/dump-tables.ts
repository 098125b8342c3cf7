import type pg from 'pg';
import type { Dump } from '../checker/dump.ts';
import { readArchive } from './read-archive.ts';

/** The tables that the checker reads; one that this version does not have is empty. */
const sources: Readonly<Record<keyof Dump, string>> = {
  payments: 'payments',
  attempts: 'recorded_attempts',
  charges: 'psp_transactions',
  events: 'events',
  deliveries: 'deliveries',
  requests: 'requests',
  incidents: 'incidents',
};

/** Of these the archive has rows, too. Of other tables it keeps only what the checker does not read. */
const archived = ['events', 'deliveries'] as const;

export async function dumpTables(client: pg.Client): Promise<Dump> {
  const dump: Record<string, readonly unknown[]> = {};
  for (const [name, table] of Object.entries(sources)) dump[name] = await rowsOf(client, table);
  const read = await readArchive(client);
  for (const table of archived) dump[table] = [...(dump[table] ?? []), ...(await read(table))];
  return dump as unknown as Dump;
}

async function rowsOf(client: pg.Client, table: string): Promise<readonly unknown[]> {
  const { rows } = await client.query(`select to_regclass($1) is not null as is_there`, [table]);
  return rows[0]?.is_there === true ? (await client.query(`select * from ${table}`)).rows : [];
}
