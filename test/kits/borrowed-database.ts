import pg from 'pg';
import { emptyTables } from '../../src/faults/database/empty-tables.ts';
import { emptyShards, isOnCitus } from './cluster/empty-shards.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Of this process, as they came from the template; the run's cluster takes them along when it ends. */
const free: Lent[] = [];

interface Lent {
  readonly database: TestDatabase;
  /** What the migrations made, to be found again. */
  readonly schema: string;
  readonly rows: ReadonlyMap<string, string>;
}

/** Tables that begin with rows, which tests change. */
const begun = ['sandbox_clock', 'rollup_progress', 'history_trims'] as const;

/**
 * A database as the template is, handed on from test to test: to empty one takes a tenth of the time
 * that making one takes. Where a test changed the schema, `drop` removes it.
 */
export async function borrowTestDatabase(): Promise<TestDatabase> {
  const lent = free.pop() ?? (await prepare());
  const { database } = lent;
  return {
    ...database,
    async drop() {
      if (await isRestored(lent)) free.push(lent);
      else await database.drop();
    },
  };
}

async function prepare(): Promise<Lent> {
  const database = await createTestDatabase();
  return withClient(database, async (client) => {
    const rows = new Map<string, string>();
    for (const table of begun) {
      const { rows: found } = await client.query(
        `select jsonb_agg(t)::text as all from ${table} t`,
      );
      rows.set(table, found[0].all);
    }
    return { database, schema: await schemaOf(client), rows };
  });
}

/** Ends what is left of the test, and empties what it filled; not where it changed the schema. */
function isRestored({ database, schema, rows }: Lent): Promise<boolean> {
  return withClient(database, async (client) => {
    await client.query(`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
        and backend_type = 'client backend'`);
    if ((await schemaOf(client)) !== schema) return false;
    await ((await isOnCitus(client)) ? emptyShards(client) : emptyTables(client));
    for (const [table, texts] of rows) {
      await client.query(`delete from ${table}`);
      await client.query(
        `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [texts],
      );
    }
    return true;
  });
}

/** A fingerprint of all that a test may have changed of the schema. */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    with parts (part) as (
      select concat_ws(' ', 'class', oid, relname, relnamespace, reloptions, relacl, relrowsecurity)
      from pg_class where relnamespace::regnamespace::text !~ '^pg_'
      union all
      select concat_ws(' ', 'column', attrelid, attname, atttypid, attnotnull, attisdropped)
      from pg_attribute where attrelid >= 16384
      union all
      select concat_ws(' ', 'constraint', oid, conname, convalidated) from pg_constraint
      union all
      select concat_ws(' ', 'trigger', oid, tgname, tgenabled) from pg_trigger
      union all
      select concat_ws(' ', 'function', oid, proname, md5(prosrc)) from pg_proc where oid >= 16384
      union all
      select concat_ws(' ', 'policy', oid, polname) from pg_policy
    )
    select md5(string_agg(part, ',' order by part)) as fingerprint from parts`);
  return rows[0].fingerprint;
}

async function withClient<Result>(
  { connectionString }: TestDatabase,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
