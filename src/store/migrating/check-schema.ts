import { AppError } from '../../domain/errors.ts';
import type { DatabaseAddress } from '../cell.ts';
import { readWall, type Wall } from '../wall/raise-wall.ts';
import { rolesOf } from '../wall/roles.ts';
import { readMigrations } from './migration-files.ts';
import { migrationsDone, newerThan } from './migrations-done.ts';
import { onConnection } from './on-connection.ts';

/** How a database stands to this version. */
export interface SchemaState {
  /** What has not run on it yet, in the order in which it would. */
  readonly pending: readonly string[];
  /** What a newer version has added, on which this one runs. */
  readonly newer: readonly string[];
  readonly wall: Wall;
}

/**
 * Reads how a database stands to this version, and changes nothing.
 *
 * @throws AppError database_newer, and what keeps a database from being used
 */
export async function readSchemaState(address: DatabaseAddress): Promise<SchemaState> {
  const migrations = await readMigrations();
  return onConnection(address, async (client) => {
    const done = await migrationsDone(client);
    return {
      pending: migrations.filter(({ name }) => !done.has(name)).map(({ name }) => name),
      newer: newerThan(migrations, done),
      wall: await readWall(client, rolesOf(address.schema)),
    };
  });
}

/**
 * For a start that is not to migrate.
 *
 * @throws AppError database_older, as readSchemaState
 */
export async function requireSchema(address: DatabaseAddress): Promise<Wall> {
  const { pending, wall } = await readSchemaState(address);
  if (pending.length === 0) return wall;
  throw new AppError(
    'database_older',
    `The database lacks ${pending.length === 1 ? '' : `${pending.length} migrations, first `}${pending[0]}: run recoup migrate.`,
  );
}
