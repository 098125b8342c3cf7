import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Clock } from '../domain/clock.ts';
import { AppError } from '../domain/errors.ts';
import type { DatabaseAddress } from './cell.ts';
import { goOnAboveOnNodes } from './intake/request-order.ts';
import { distributedSchema } from './migrating/distributed-schema.ts';
import { asOnCitus, type Migration, readMigrations } from './migrating/migration-files.ts';
import { type MigrationDone, migrationsDone, newerThan } from './migrating/migrations-done.ts';
import { failedAs, onConnection } from './migrating/on-connection.ts';
import { concurrentIndexOf, statementsOf } from './migrating/statements-of.ts';
import { raiseWall, readWall, type Wall } from './wall/raise-wall.ts';
import { giveRightsOnNodes } from './wall/rights-on-nodes.ts';
import { rolesOf } from './wall/roles.ts';

/** Any constant does: it keeps two starting processes from migrating one schema at once. */
const lockKey = 7_293_881_201;
/** Between two looks whether another process has migrated. */
const lockLookMs = 100;
/** All writers of a table queue behind a migration that waits for it: no longer than this. */
const tableWait = '3s';
/** Times that a table is waited for, with a pause in which its writers go on. */
const tries = 60;
const tryPauseMs = 1_000;

interface MigrateDeps extends DatabaseAddress {
  readonly clock: Clock;
  /** Where the migrations are. Absent: those of this version. */
  readonly folder?: URL;
}

/**
 * Brings the database to this version: every file of migrations/ that has not run yet, in order,
 * all in one transaction under a lock, but for those that have to run outside of one. Forward only; a
 * database of a newer version is refused, unless that has only added to it. Then the roles are given
 * their rights.
 *
 * @throws AppError migration_failed, migration_edited, and what keeps a database from being used
 */
export async function migrate(deps: MigrateDeps): Promise<{ applied: string[]; wall: Wall }> {
  const released = await readMigrations(deps.folder);
  return onConnection(deps, async (client) => {
    await lock(client, deps.schema);
    if (deps.schema !== undefined) await prepareCell(client, deps.schema);
    const onShards = (await distributedSchema(client)) !== undefined;
    const migrations = onShards ? released.map(asOnCitus) : released;
    const applied: string[] = [];
    for (;;) {
      const step = await patiently(client, () => nextStep(client, migrations, deps));
      applied.push(...step.applied);
      if ('wall' in step) {
        await goOnAboveOnNodes(client);
        if (step.wall.kind === 'up') await giveRightsOnNodes(client, rolesOf(deps.schema));
        return { applied, wall: step.wall };
      }
      await applyAlone(client, step.alone, deps.clock);
      applied.push(step.alone.name);
    }
  });
}

/** Of this connection, by asking again: one that waited in a statement would keep indexes from being built. */
async function lock(client: pg.Client, schema: string | undefined): Promise<void> {
  const key = schema === undefined ? '$1::bigint' : 'hashtextextended($2, $1)';
  const values = schema === undefined ? [lockKey] : [lockKey, schema];
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(${key}) as held`,
      values,
    );
    if (rows[0]?.held === true) return;
    await pause(lockLookMs);
  }
}

/** Looked for first: whoever may not make schemas may well be given one. */
async function prepareCell(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`create schema ${schema}`);
}

/** SQLSTATE of a table that others have held for longer than we wait. */
const lockNotAvailable = '55P03';

/** Runs a step in a transaction, again and again while a table that it needs is held by others. */
async function patiently<T>(client: pg.Client, step: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      // As the login: a pooler's connection may act as one of our roles still.
      await client.query(`begin; set local role none; set local lock_timeout = '${tableWait}'`);
      const result = await step();
      await client.query('commit');
      return result;
    } catch (error) {
      // A connection that is gone has rolled back.
      await client.query('rollback').catch(() => undefined);
      if (left <= 1 || !isHeldByOthers(error)) throw error;
      await pause(tryPauseMs);
    }
  }
}

function isHeldByOthers(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === lockNotAvailable;
}

type Step = { readonly applied: readonly string[] } & (
  | { readonly alone: Migration }
  | { readonly wall: Wall }
);

/** What can be done in one transaction: all that is left, or all up to what has to run outside of one. */
async function nextStep(
  client: pg.Client,
  migrations: readonly Migration[],
  { clock, schema }: Pick<MigrateDeps, 'clock' | 'schema'>,
): Promise<Step> {
  await prepareTable(client);
  const done = await migrationsDone(client);
  const newer = newerThan(migrations, done);
  for (const migration of migrations) {
    await keepOrCompare(client, migration, done.get(migration.name));
  }
  const pending = migrations.filter(({ name }) => !done.has(name));
  const alone = pending.find(({ isAlone }) => isAlone);
  const together = alone === undefined ? pending : pending.slice(0, pending.indexOf(alone));
  for (const migration of together) await apply(client, migration, clock);
  const applied = together.map(({ name }) => name);
  if (alone !== undefined) return { applied, alone };
  // The rights are those of the newest version that was here.
  const roles = rolesOf(schema);
  const wall =
    newer.length > 0
      ? await readWall(client, roles)
      : await raiseWall(client, { roles, at: clock.now() });
  return { applied, wall };
}

async function prepareTable(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists migrations (
       name text primary key,
       applied_at timestamptz not null
     )`,
  );
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_attribute
     where attrelid = to_regclass('migrations') and attname in ('checksum', 'kind')
       and not attisdropped`,
  );
  if (rows[0]?.count === 2) return;
  await client.query(
    `alter table migrations add column if not exists checksum text,
       add column if not exists kind text`,
  );
}

/**
 * Refuses a migration whose text is not the one that ran: two databases of one version would else
 * have two schemas. What ran before checksums were kept is taken for what it is now.
 */
async function keepOrCompare(
  client: pg.Client,
  { name, checksum }: Migration,
  done: MigrationDone | undefined,
): Promise<void> {
  if (done === undefined) return;
  if (done.checksum === null) {
    await client.query('update migrations set checksum = $2 where name = $1', [name, checksum]);
  } else if (done.checksum !== checksum) {
    throw new AppError('migration_edited', `The migration ${name} is not the one that ran here.`);
  }
}

async function apply(client: pg.Client, migration: Migration, clock: Clock): Promise<void> {
  try {
    for (const statement of statementsOf(migration.sql)) await client.query(statement);
  } catch (error) {
    throw failedAs(error, `The migration ${migration.name} failed`);
  }
  await note(client, migration, clock);
}

/** Cut off, it is run again from its beginning: each of its statements may be. */
async function applyAlone(client: pg.Client, migration: Migration, clock: Clock): Promise<void> {
  try {
    await client.query('set role none');
    for (const statement of statementsOf(migration.sql)) {
      await dropBrokenIndex(client, concurrentIndexOf(statement));
      await client.query(statement);
    }
  } catch (error) {
    throw failedAs(error, `The migration ${migration.name} failed`);
  }
  await note(client, migration, clock);
}

/**
 * A build that was cut off leaves an index that serves nobody, and that `if not exists` would keep. On Citus the node
 * perhaps has none of it: so it says `if exists`, and the coordinator hands that on.
 */
async function dropBrokenIndex(client: pg.Client, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { rows } = await client.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rows.length > 0) await client.query(`drop index concurrently if exists ${name}`);
}

async function note(client: pg.Client, migration: Migration, clock: Clock): Promise<void> {
  const { name, checksum, kind } = migration;
  await client.query(
    'insert into migrations (name, applied_at, checksum, kind) values ($1, $2, $3, $4)',
    [name, clock.now(), checksum, kind],
  );
}
