import pg from 'pg';
import { readMigrations } from '../../../src/store/migrating/migration-files.ts';
import { statementsOf } from '../../../src/store/migrating/statements-of.ts';

/** With it cells could be on Citus. Those before it made tables that were not shards yet. */
export const lastBeforeShards = '0172_logged_on_citus.sql';

/** The schema of the first release whose tables could be shards, without the rights of a later one. */
export async function makeFirstSchema(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      'create table migrations (name text primary key, applied_at timestamptz not null)',
    );
    for (const { name, sql } of await readMigrations()) {
      if (name > lastBeforeShards) break;
      for (const statement of statementsOf(sql)) await client.query(statement);
      await client.query('insert into migrations values ($1, now())', [name]);
    }
  } finally {
    await client.end();
  }
}
