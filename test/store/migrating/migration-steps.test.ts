import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { readSchemaState, requireSchema } from '../../../src/store/migrating/check-schema.ts';
import { createTestDatabase } from '../../kits/database.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { queryOnce } from '../../kits/query-once.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
const own = new URL('../../../src/store/migrations/', import.meta.url);

async function database(): Promise<string> {
  const made = await createTestDatabase();
  onTestFinished(() => made.drop());
  return made.schemaString;
}

/** The migrations of this version and some of a later one. */
async function laterVersion(files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(own, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return pathToFileURL(`${folder}/`);
}

async function connection(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const indexMigration = `-- Found by name.
-- outside a transaction
create index concurrently if not exists merchants_names on merchants (name);
create index concurrently if not exists merchants_ages on merchants (created_at);
`;
const valid = `select relname as name, indisvalid as valid from pg_index
  join pg_class on pg_class.oid = indexrelid where relname like 'merchants\\_%s' order by 1`;

it('indexes are built while others write, between what runs before and after them', async () => {
  const connectionString = await database();
  const files = {
    '9001_before.sql': '-- Adds.\nalter table merchants add column age int;',
    '9002_indexes.sql': indexMigration,
    '9003_after.sql': '-- Adds.\nalter table merchants add column shoe_size int;',
  };
  const folder = await laterVersion(files);
  const { applied, wall } = await migrate({ connectionString, clock, folder });
  expect(applied).toEqual(Object.keys(files));
  expect(wall).toEqual({ kind: 'up' });
  expect(await queryOnce(connectionString, valid)).toEqual([
    { name: 'merchants_ages', valid: true },
    { name: 'merchants_names', valid: true },
  ]);
  expect(await migrate({ connectionString, clock, folder })).toMatchObject({ applied: [] });
});

it('an index whose build was cut off is built again', async () => {
  const connectionString = await database();
  const broken = 'create unique index concurrently migrations_times on migrations ((1))';
  await expect(queryOnce(connectionString, broken)).rejects.toThrow(
    'could not create unique index',
  );
  const isValid = `select indisvalid as valid from pg_index
    where indexrelid = 'migrations_times'::regclass`;
  expect(await queryOnce(connectionString, isValid)).toEqual([{ valid: false }]);
  const sql = `-- Found by time.
-- outside a transaction
create index concurrently if not exists migrations_times on migrations (applied_at);`;
  const folder = await laterVersion({ '9002_indexes.sql': sql });
  await migrate({ connectionString, clock, folder });
  expect(await queryOnce(connectionString, isValid)).toEqual([{ valid: true }]);
});

it('this version starts on a schema that a later one has added to, and leaves its rights', async () => {
  const connectionString = await database();
  const folder = await laterVersion({ '9001_more.sql': '-- Adds.\ncreate table later (id int);' });
  await migrate({ connectionString, clock, folder });
  const raised = () => queryOnce(connectionString, `select digest, raised_at from wall`);
  const before = await raised();
  expect(await migrate({ connectionString, clock })).toEqual({ applied: [], wall: { kind: 'up' } });
  expect(await raised()).toEqual(before);
  expect(await readSchemaState({ connectionString })).toEqual({
    pending: [],
    newer: ['9001_more.sql'],
    wall: { kind: 'up' },
  });
});

it('it is refused one that a later version has taken from', async () => {
  const connectionString = await database();
  const sql = '-- contract: nothing reads it since 1.2.\nalter table merchants drop column name;';
  const folder = await laterVersion({ '9001_less.sql': sql });
  await migrate({ connectionString, clock, folder });
  const refusal = { code: 'database_newer' };
  await expect(migrate({ connectionString, clock })).rejects.toMatchObject(refusal);
  await expect(requireSchema({ connectionString })).rejects.toMatchObject(refusal);
});

it('a migration that waits for a table lets its writers go on', async () => {
  const connectionString = await database();
  const sql = '-- Adds.\nalter table merchants add column age int;';
  const folder = await laterVersion({ '9001_more.sql': sql });
  const reader = await connection(connectionString);
  await reader.query('begin; select 1 from merchants');
  const migrated = migrate({ connectionString, clock, folder });
  const watcher = await connection(connectionString);
  await untilLockWaits(async (text) => (await watcher.query(text)).rows);
  // Behind the migration, which gives up its place while the reader still has its own.
  await watcher.query('update merchants set name = name');
  await reader.query('commit');
  expect(await migrated).toMatchObject({ applied: ['9001_more.sql'] });
});

it('a connection that breaks off within a migration is told as that, and the same again goes on', async () => {
  const connectionString = await database();
  const file = '9001_cut.sql';
  const adds = '-- Adds.\nalter table merchants add column age int;';
  const cut = 'select pg_terminate_backend(pg_backend_pid());';
  const folder = await laterVersion({ [file]: `${adds}\n${cut}` });
  await expect(migrate({ connectionString, clock, folder })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: expect.stringContaining(
      'The migration 9001_cut.sql failed: the connection broke off.',
    ),
  });
  await writeFile(new URL(file, folder), adds);
  expect(await migrate({ connectionString, clock, folder })).toMatchObject({ applied: [file] });
});
