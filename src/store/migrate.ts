import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Clock } from '../domain/clock.ts';
import { AppError } from '../domain/errors.ts';
import { connectFault, refusalOf } from './database-fault.ts';
import { raiseWall, type Wall } from './wall/raise-wall.ts';

const folder = new URL('./migrations/', import.meta.url);
const shape = /^\d{4}_[a-z0-9_]+\.sql$/;

/** A server that takes a connection and says nothing is told within ten seconds of the start. */
const connectTimeoutMs = 8_000;

/** Any constant does: it keeps two starting processes from migrating at once. */
const lockKey = 7_293_881_201;

/**
 * Brings the database to this version: every file of migrations/ that has not run yet, in order,
 * all in one transaction under a lock. Forward only; a database of a newer version is refused. Then the
 * roles are given their rights.
 *
 * @throws AppError migration_failed, migration_edited, and what keeps a database from being used
 */
export async function migrate(deps: {
  readonly connectionString: string;
  readonly clock: Clock;
}): Promise<{ applied: string[]; wall: Wall }> {
  const files = await migrationFiles();
  const { connectionString } = deps;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks between two statements: the next one fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw connectFault(error, connectionString);
  }
  try {
    // As the login: a pooler's connection may act as one of our roles still.
    await client.query('begin; set local role none');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const done = await migrationsDone(client);
    refuseNewer(done, files);
    const applied = files.filter((name) => !done.has(name));
    for (const name of files) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      if (done.has(name)) await keepOrCompare(client, { name, sql, kept: done.get(name) });
      else await apply(client, { name, sql, at: deps.clock.now() });
    }
    const wall = await raiseWall(client, deps.clock.now());
    await client.query('commit');
    return { applied, wall };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const refusal = refusalOf(error);
    if (refusal !== undefined) throw new AppError(refusal, undefined, { cause: error });
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

/** Each migration that has run, with the checksum of its text where one was kept. */
async function migrationsDone(client: pg.Client): Promise<ReadonlyMap<string, string | undefined>> {
  await client.query(
    `create table if not exists migrations (
       name text primary key,
       applied_at timestamptz not null
     )`,
  );
  await client.query('alter table migrations add column if not exists checksum text');
  const { rows } = await client.query<{ name: string; checksum: string | null }>(
    'select name, checksum from migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum ?? undefined]));
}

/**
 * Refuses a migration whose text is not the one that ran: two databases of one version would else
 * have two schemas. What ran before checksums were kept is taken for what it is now.
 */
async function keepOrCompare(
  client: pg.Client,
  {
    name,
    sql,
    kept,
  }: { readonly name: string; readonly sql: string; readonly kept?: string | undefined },
): Promise<void> {
  const checksum = checksumOf(sql);
  if (kept === undefined) {
    await client.query('update migrations set checksum = $2 where name = $1', [name, checksum]);
  } else if (kept !== checksum) {
    throw new AppError('migration_edited', `The migration ${name} is not the one that ran here.`);
  }
}

/** Of a text's lines, however they end: a checkout on Windows may have changed that. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

function refuseNewer(done: ReadonlyMap<string, unknown>, files: readonly string[]): void {
  const known = new Set(files);
  const unknown = [...done.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new AppError(
      'database_newer',
      `The database was written by a newer version of Recoup (it holds ${unknown.join(', ')}).`,
    );
  }
}

async function apply(
  client: pg.Client,
  { name, sql, at }: { readonly name: string; readonly sql: string; readonly at: Date },
): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) throw new AppError(refusal, undefined, { cause: error });
    const cause = error instanceof Error ? error.message : String(error);
    throw new AppError('migration_failed', `The migration ${name} failed: ${cause}.`, {
      cause: error,
    });
  }
  await client.query('insert into migrations (name, applied_at, checksum) values ($1, $2, $3)', [
    name,
    at,
    checksumOf(sql),
  ]);
}
