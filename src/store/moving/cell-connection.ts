import pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { applicationName, type DatabaseAddress, enterCellSql } from '../cell.ts';
import type { Queryable } from '../database.ts';
import { connectFault, isAway, refusalOf } from '../database-fault.ts';
import { connectionOptions } from '../hosts/connection-options.ts';
import { distributedSchema, isAtNode } from '../migrating/distributed-schema.ts';

const connectTimeoutMs = 8_000;

/** One end of a move: a connection of its own to a cell, as the login that owns the cell's tables. */
export interface CellConnection extends Queryable {
  readonly client: pg.ClientBase;
  /** The cell's name; empty for a Recoup that is none. */
  readonly cell: string;
  /** On Citus its schema, quoted. */
  readonly distributed?: string;
  close(): Promise<void>;
}

/**
 * Both ends write and read rows as the same texts. No statement here is of a loop: one may take as long as a
 * merchant is large.
 */
const settings = `
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0`;

/** @throws AppError move_not_at_node, what keeps a database from being used */
export async function connectToCell({
  connectionString,
  schema,
}: DatabaseAddress): Promise<CellConnection> {
  const { Client = pg.Client, ...to } = connectionOptions(connectionString);
  const client = new Client({
    ...to,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName('recoup move', schema),
  });
  // A connection that breaks between two statements: the next one fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw connectFault(error, connectionString);
  }
  await client.query(settings);
  if (schema !== undefined) await client.query(enterCellSql(schema));
  const distributed = await distributedSchema(client);
  // Locks are of one node: two commands would not see each other's.
  if (distributed !== undefined && !(await isAtNode(client))) {
    await client.end();
    throw new AppError('move_not_at_node');
  }
  return {
    client,
    cell: schema ?? '',
    ...present({ distributed }),
    query: (statement, values) => rowsOf({ client }, statement.text, values),
    close: () => client.end(),
  };
}

/** Work in one transaction of this connection. */
export async function inTransaction<T>(
  { client }: Pick<CellConnection, 'client'>,
  work: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await rowsOf({ client }, begin);
  try {
    const result = await work();
    await rowsOf({ client }, 'commit');
    return result;
  } catch (error) {
    // A connection that is gone has rolled back.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Statements without parameters, or those of one use, by their text. */
export async function rowsOf<Row>(
  { client }: Pick<CellConnection, 'client'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) throw new AppError(refusal, undefined, { cause: error });
    throw isAway(error) ? brokenOff(client, error) : error;
  }
}

/** Whether its last statement took effect nobody knows, nor need anybody: each step of a move may be repeated. */
function brokenOff(client: pg.ClientBase, cause: unknown): AppError {
  const { host, port } = client as pg.Client;
  const why = `The connection to the database at ${host}:${port} broke off. Each step may be repeated: run the same command again.`;
  return new AppError('database_unreachable', why, { cause });
}
