import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Clock } from '../domain/clock.ts';
import { AppError } from '../domain/errors.ts';

const folder = new URL('./migrations/', import.meta.url);
const shape = /^\d{4}_[a-z0-9_]+\.sql$/;

/** Any constant does: it keeps two starting processes from migrating at once. */
const lockKey = 7_293_881_201;

/**
 * Brings the database to this version: every file of migrations/ that has not run yet, in order,
 * all in one transaction under a lock. Forward only; a database of a newer version is refused.
 *
 * @throws AppError migration_failed, database_unreachable
 */
export async function migrate(deps: {
  readonly connectionString: string;
  readonly clock: Clock;
}): Promise<{ applied: string[] }> {
  const files = await migrationFiles();
  const client = new pg.Client({ connectionString: deps.connectionString });
  try {
    await client.connect();
  } catch (error) {
    throw new AppError('database_unreachable', undefined, { cause: error });
  }
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const done = await migrationsDone(client);
    refuseNewer(done, files);
    const applied = files.filter((name) => !done.has(name));
    for (const name of applied) await apply(client, name, deps.clock.now());
    await client.query('commit');
    return { applied };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new AppError('migration_failed', `The database could not be migrated: ${cause}.`, {
      cause: error,
    });
  } finally {
    await client.end();
  }
}

/** The migrations of this version, in their order. */
export async function migrationFiles(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => shape.test(name)).sort();
}

async function migrationsDone(client: pg.Client): Promise<ReadonlySet<string>> {
  await client.query(
    `create table if not exists migrations (
       name text primary key,
       applied_at timestamptz not null
     )`,
  );
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  return new Set(rows.map((row) => row.name));
}

function refuseNewer(done: ReadonlySet<string>, files: readonly string[]): void {
  const known = new Set(files);
  const unknown = [...done].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new AppError(
      'migration_failed',
      `The database was written by a newer version (it holds ${unknown.join(', ')}).`,
    );
  }
}

async function apply(client: pg.Client, name: string, at: Date): Promise<void> {
  const sql = await readFile(new URL(name, folder), 'utf8');
  try {
    await client.query(sql);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new AppError('migration_failed', `The migration ${name} failed: ${cause}.`, {
      cause: error,
    });
  }
  await client.query('insert into migrations (name, applied_at) values ($1, $2)', [name, at]);
}
