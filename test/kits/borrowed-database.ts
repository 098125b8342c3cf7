import pg from 'pg';
import { emptyTables } from '../../src/faults/database/empty-tables.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { emptyShards, isOnCitus, type UsedTable, usedShards } from './cluster/empty-shards.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Of this process, as they came from the template; the run's cluster takes them along when it ends. */
const free: Lent[] = [];

interface Lent {
  readonly database: TestDatabase;
  /** Where somebody asked for it; its connections are handed on too, since a new one reads all of the catalog. */
  open?: OpenDatabase | undefined;
  /** What the migrations made, to be found again. */
  readonly schema: string;
  /** All tables, each after those that refer to it. */
  readonly tables: readonly Table[];
  /** Of the tables that begin with rows, which tests change. */
  readonly rows: ReadonlyMap<string, string>;
}

interface Table {
  readonly name: string;
  /** Whether something of our own happens at each row that is deleted, or it is refused. */
  readonly hasDeleteTrigger: boolean;
}

/** Those that a migration wrote and no test changes. */
const kept = 'migrations';
/** From there on files are thrown away: what few rows a test leaves is deleted in a twentieth of the time. */
const largeBytes = 4 * 2 ** 20;

/**
 * A database as the template is, handed on from test to test: to empty one takes a quarter of the time
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

export interface OpenTestDatabase extends TestDatabase {
  readonly db: Database;
}

/** The same with four connections, which the next one finds as they are. */
export async function borrowOpenDatabase(): Promise<OpenTestDatabase> {
  const lent = free.pop() ?? (await prepare());
  lent.open ??= openLent(lent.database);
  const { database, open } = lent;
  return {
    ...database,
    db: open.db,
    async drop() {
      // What is at work on one of them yet is left of the test.
      if (open.db.pool.idleCount !== open.db.pool.totalCount) await closeLent(lent);
      if (await isRestored(lent)) return void free.push(lent);
      await closeLent(lent);
      await database.drop();
    },
  };
}

interface OpenDatabase {
  readonly db: Database;
  /** The server's processes of its connections. */
  readonly pids: Set<number>;
}

function openLent({ nearString }: TestDatabase): OpenDatabase {
  const near = { connectionString: nearString, poolSize: 4 };
  const db = openDatabase({ log: { warn() {} } }, near);
  const pids = new Set<number>();
  db.pool.on('connect', (client: object) => {
    if ('processID' in client) pids.add(Number(client.processID));
  });
  return { db, pids };
}

async function closeLent(lent: Lent): Promise<void> {
  await lent.open?.db.close();
  lent.open = undefined;
}

async function prepare(): Promise<Lent> {
  const database = await createTestDatabase();
  return withClient(database, async (client) => {
    const schema = await schemaOf(client);
    const begun = await usedTables(client);
    const rows = await rowsOf(
      client,
      begun.map(({ name }) => name),
    );
    return { database, schema, tables: await orderedTables(client), rows };
  });
}

/** Ends what is left of the test, and empties what it filled; not where it changed the schema. */
function isRestored({ database, open, schema, tables, rows }: Lent): Promise<boolean> {
  const within = open === undefined ? withClient : withOpen(open);
  return within(database, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
         and backend_type = 'client backend' and pid <> all($1)
         -- Of a node of Citus to itself, kept by one of those that are handed on.
         and application_name not like 'citus_internal%'`,
      [[...(open?.pids ?? [])]],
    );
    if ((await schemaOf(client)) !== schema) return false;
    await emptyAll(client, tables, rows);
    const left = await rowsOf(client, [...rows.keys()]);
    for (const [table, texts] of rows) {
      if (left.get(table) === texts) continue;
      await client.query(`delete from ${table}`);
      await client.query(
        `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [texts],
      );
    }
    return true;
  });
}

/** But for the tables that began with rows. */
async function emptyAll(
  client: pg.ClientBase,
  tables: readonly Table[],
  begun: ReadonlyMap<string, string>,
): Promise<void> {
  const used = await usedTables(client);
  const names = new Set(used.map(({ name }) => name).filter((name) => !begun.has(name)));
  if (await isOnCitus(client)) return emptyShards(client, [...names]);
  const bytes = used.reduce((sum, table) => sum + table.bytes, 0);
  if (bytes > largeBytes) return emptyTables(client);
  const filled = tables.filter(({ name }) => names.has(name));
  const switched = (how: string) =>
    filled
      .filter((table) => table.hasDeleteTrigger)
      .map(({ name }) => `alter table ${name} ${how} trigger user`);
  const statements = [
    ...switched('disable'),
    ...filled.map(({ name }) => `delete from ${name}`),
    ...switched('enable'),
    // Those of identity columns and all others.
    `select setval(oid::regclass, 1, false) from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S'`,
  ];
  // Several in one message are one transaction.
  await client.query(statements.join('; '));
}

/** Every table that has a file, which it keeps when its rows are deleted. */
async function usedTables(client: pg.ClientBase): Promise<readonly UsedTable[]> {
  if (await isOnCitus(client)) {
    return (await usedShards(client)).filter(({ name }) => name !== kept);
  }
  const { rows } = await client.query<UsedTable>(
    `select relname as name, pg_relation_size(oid)::int as bytes from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and pg_relation_size(oid) > 0 and relname <> $1`,
    [kept],
  );
  return rows;
}

/** Of each table all rows, as JSON; null where there are none. */
async function rowsOf(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; all: string }>(
    names
      .map((name) => `select '${name}' as name, (select jsonb_agg(t)::text from ${name} t) as all`)
      .join(' union all '),
  );
  return new Map(rows.map(({ name, all }) => [name, all]));
}

/** All tables, so that what is deleted in this order is referred to by nothing. */
async function orderedTables(client: pg.ClientBase): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { readonly referring: readonly string[] }>(`
    select t.relname as name,
      exists (select from pg_trigger g
        where g.tgrelid = t.oid and not g.tgisinternal and g.tgtype & ${onDelete} <> 0) as "hasDeleteTrigger",
      array(select c.relname::text from pg_constraint f join pg_class c on c.oid = f.conrelid
        where f.confrelid = t.oid and f.contype = 'f') as referring
    from pg_class t
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
    order by t.relname`);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const ordered = new Set<Table>();
  const seen = new Set<string>();
  const add = (name: string): void => {
    const table = byName.get(name);
    if (table === undefined || seen.has(name)) return;
    seen.add(name);
    for (const other of table.referring) add(other);
    ordered.add(table);
  };
  for (const { name } of rows) add(name);
  return [...ordered];
}

/** A bit of pg_trigger.tgtype. */
const onDelete = 8;

/** A fingerprint of all that a test may have changed of the schema. */
async function schemaOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query(`
    with parts (part) as (
      select row('class'::text, oid, relname, relnamespace, reloptions, relacl, relrowsecurity)
      from pg_class where oid >= 16384
      union all
      select row('column'::text, attrelid, attname, atttypid, attnotnull, attisdropped)
      from pg_attribute where attrelid >= 16384
      union all
      select row('constraint'::text, oid, conname, convalidated) from pg_constraint
      union all
      select row('trigger'::text, oid, tgname, tgenabled) from pg_trigger
      union all
      select row('function'::text, oid, proname, prosrc) from pg_proc where oid >= 16384
      union all
      select row('policy'::text, oid, polname) from pg_policy
    )
    select sum(hash_record_extended(part, 0))::text as fingerprint from parts`);
  return rows[0].fingerprint;
}

function withOpen({ db }: OpenDatabase) {
  return async <Result>(
    _database: TestDatabase,
    work: (client: pg.ClientBase) => Promise<Result>,
  ): Promise<Result> => {
    const client = await db.pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  };
}

async function withClient<Result>(
  { nearString }: TestDatabase,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: nearString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
