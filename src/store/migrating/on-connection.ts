import pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import { applicationName, type DatabaseAddress, enterCellSql } from '../cell.ts';
import { connectFault, isAway, refusalOf } from '../database-fault.ts';
import { connectionOptions } from '../hosts/connection-options.ts';

/** A server that takes a connection and says nothing is told within ten seconds of the start. */
const connectTimeoutMs = 8_000;

/**
 * Does work on the schema by a connection of its own.
 *
 * @throws AppError migration_failed, and what keeps a database from being used
 */
export async function onConnection<T>(
  { connectionString, schema }: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { Client = pg.Client, ...to } = connectionOptions(connectionString);
  const client = new Client({
    ...to,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName('recoup migrate', schema),
  });
  // A connection that breaks between two statements: the next one fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw connectFault(error, connectionString);
  }
  try {
    if (schema !== undefined) await client.query(enterCellSql(schema));
    return await work(client);
  } catch (error) {
    throw failedAs(error, 'The database could not be migrated');
  } finally {
    await client.end();
  }
}

/** A fault of a step of the schema, in our words. */
export function failedAs(error: unknown, what: string): AppError {
  if (error instanceof AppError) return error;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return new AppError(refusal, undefined, { cause: error });
  if (isAway(error)) {
    return new AppError('database_unreachable', `${what}: the connection broke off.`, {
      cause: error,
    });
  }
  const cause = error instanceof Error ? error.message : String(error);
  return new AppError('migration_failed', `${what}: ${cause}.`, { cause: error });
}
