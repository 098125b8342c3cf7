import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { migrate } from '../../src/store/migrate.ts';
import { databaseUrl } from '../kits/cluster/test-cluster.ts';
import { createTestDatabase, dropWhereAllowed, testCluster } from '../kits/database.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
const folder = new URL('../../src/store/migrations/', import.meta.url);
const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

/** An empty database. */
async function emptyDatabase(): Promise<string> {
  const cluster = await testCluster();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = cluster.coordinator ?? cluster.connectionString;
  await query(server, `create database ${name}`);
  onTestFinished(() => dropWhereAllowed(cluster, name));
  return databaseUrl(server, name);
}

async function migratedDatabase(): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database.schemaString;
}

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function refusal(migrated: Promise<unknown>): Promise<AppError> {
  const error = await migrated.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe('an empty database', () => {
  it('gets every migration, in order, at the clock’s time', async () => {
    const connectionString = await emptyDatabase();
    expect(await migrate({ connectionString, clock })).toEqual({
      applied: files,
      wall: { kind: 'up' },
    });
    const rows = await query(
      connectionString,
      'select name, applied_at from migrations order by 1',
    );
    expect(rows).toEqual(files.map((name) => ({ name, applied_at: clock.now() })));
  });

  it('is migrated once by processes that start together', async () => {
    const connectionString = await emptyDatabase();
    const results = await Promise.all([1, 2, 3].map(() => migrate({ connectionString, clock })));
    expect(results.map(({ applied }) => applied.length).toSorted()).toEqual([0, 0, files.length]);
  });

  it('that cannot be written stays empty, and says why', async () => {
    const connectionString = await emptyDatabase();
    await query(connectionString, 'create table events (mine text)');
    const error = await refusal(migrate({ connectionString, clock }));
    expect(error.code).toBe('migration_failed');
    expect(error.detail).toMatch(
      /^The migration 0005_\w+\.sql failed: .*"events" already exists\.$/,
    );
    const tables = await query(
      connectionString,
      `select tablename from pg_tables where schemaname = current_schema()`,
    );
    expect(tables).toEqual([{ tablename: 'events' }]);
  });
});

describe('a database of this version', () => {
  it('is left as it is', async () => {
    const connectionString = await migratedDatabase();
    expect(await migrate({ connectionString, clock })).toEqual({
      applied: [],
      wall: { kind: 'up' },
    });
  });

  it('of an older one gets what it lacks', async () => {
    const connectionString = await migratedDatabase();
    await query(connectionString, `delete from migrations where name like '%sandbox_clock%'`);
    await query(connectionString, 'drop table sandbox_clock');
    const { applied } = await migrate({ connectionString, clock });
    expect(applied).toEqual(files.filter((name) => name.includes('sandbox_clock')));
  });

  it('of a newer one is refused, and not touched', async () => {
    const connectionString = await migratedDatabase();
    await query(connectionString, `insert into migrations values ('9999_future.sql', now())`);
    const error = await refusal(migrate({ connectionString, clock }));
    expect(error.code).toBe('database_newer');
    expect(error.detail).toContain('9999_future.sql');
    expect(error.detail).toContain('newer version');
  });
});

it('a database that is down is told as such', async () => {
  const connectionString = 'postgres://nobody@127.0.0.1:1/none';
  const error = await refusal(migrate({ connectionString, clock }));
  expect(error.code).toBe('database_refused');
});

describe('a migration that has run', () => {
  it('is known by its checksum, and refuses the start once it is another', async () => {
    const connectionString = await migratedDatabase();
    const [kept] = await query(
      connectionString,
      'select count(*)::int as n, min(length(checksum)) as length from migrations where checksum is not null',
    );
    expect(kept).toEqual({ n: files.length, length: 64 });
    await query(
      connectionString,
      `update migrations set checksum = repeat('0', 64) where name = '${files[1]}'`,
    );
    const error = await refusal(migrate({ connectionString, clock }));
    expect(error.code).toBe('migration_edited');
    expect(error.message).toContain(`The migration ${files[1]} is not the one that ran here.`);
  });

  it('before checksums were kept is taken for what it is now', async () => {
    const connectionString = await migratedDatabase();
    const read = () => query(connectionString, 'select name, checksum from migrations order by 1');
    const before = await read();
    await query(connectionString, 'alter table migrations drop column checksum');
    expect(await migrate({ connectionString, clock })).toEqual({
      applied: [],
      wall: { kind: 'up' },
    });
    expect(await read()).toEqual(before);
  });
});
