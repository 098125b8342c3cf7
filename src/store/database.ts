import pg from 'pg';
import { AppError, type ErrorCode } from '../domain/errors.ts';
import { applicationName, type DatabaseAddress, enterCellSql } from './cell.ts';
import { databaseFault } from './database-fault.ts';
import { connectionOptions } from './hosts/connection-options.ts';
import { inPlace } from './pool/in-place.ts';
import { createPlanChanges, type PlanChanges, type Plans } from './pool/plan-changes.ts';
import { Shares } from './pool/shares.ts';
import type { Role } from './wall/roles.ts';
import { beginWithin, prepareWithin, queryWithin, type Within } from './wall/within-query.ts';

/** A named prepared statement: parsed once per connection, since the hot paths run it all day. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How it is planned outside of transactions, which say so for all of their statements. */
  readonly plans?: Plans;
}

export interface Queryable {
  /** Rows of one statement. A database that does not answer is an AppError database_unreachable. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly pool: pg.Pool;
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, plans?: Plans): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseLog {
  warn(message: string): void;
}

/** bigint columns fit a double: amounts have 12 digits, sequences are read as text where exact. */
const int8Oid = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const connectTimeoutMs = 5_000;
/** Making a connection costs as much as a hundred statements; work that comes round each minute finds its own. */
const idleTimeoutMs = 120_000;
const placeWaitDefaultMs = 5_000;
/** No statement of ours takes long; one that does is stuck and must give its connection back. */
const statementTimeoutMs = 30_000;
/** A page that follows costs 1. The server's own 4 is of disks that turn, where no database of ours stands. */
const randomPageCost = 1.1;
/**
 * Longer than the server lets a statement run: when nothing came by then, the way to it is gone, though
 * nobody closed the connection.
 */
const answerTimeoutDefaultMs = 35_000;

interface DatabaseDeps {
  readonly log: DatabaseLog;
  /** Told of what the server refused for its own reasons: a full disk, a read-only database. */
  readonly onRefused?: ((code: ErrorCode) => void) | undefined;
}

interface PoolInput extends DatabaseAddress {
  readonly poolSize: number;
  /** How many of them one sender's requests may use at a time; absent: as many as all senders'. */
  readonly perSender?: number;
  /** How long somebody waits for one of them. */
  readonly placeWaitMs?: number;
  /** How long the server may take to answer, before its connection is given up. */
  readonly answerTimeoutMs?: number;
  /** The driver's client by another one: a simulation's. */
  readonly Client?: pg.PoolConfig['Client'];
  /** Whom its connections act as. Absent: the login itself. */
  readonly role?: Role | undefined;
  /** What other processes say on a channel, as long as a connection is open. */
  readonly hears?: {
    readonly channel: string;
    heard(payload: string | undefined): void;
  };
}

export function openDatabase(deps: DatabaseDeps, input: PoolInput): Database {
  return databaseOver(deps, openPool(deps, input));
}

/** The databases of one pool, each of whose transactions is held to what its function says then. */
export function openWithin(
  deps: DatabaseDeps,
  input: DatabaseAddress & Pick<PoolInput, 'poolSize' | 'perSender'>,
): (within: () => Within) => Database {
  const opened = openPool(deps, input, prepareWithin);
  return (within) => databaseOver(deps, opened, within);
}

/** By a statement: poolers such as PgBouncer refuse it among a connection's first parameters. */
function beginningOf({
  schema,
  role,
  hears,
}: Pick<PoolInput, 'schema' | 'role' | 'hears'>): string {
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set random_page_cost = ${randomPageCost}`,
    // Scans that are ruled out are priced so high that a server would compile such a statement each time, for seconds.
    'set jit = off',
    ...(schema === undefined ? [] : [enterCellSql(schema)]),
    ...(role === undefined ? [] : [`set role ${role}`]),
    ...(hears === undefined ? [] : [`listen ${hears.channel}`]),
    `select exists (select from pg_extension where extname = 'citus') as is_citus`,
  ].join('; ');
}

/** Begins on a new connection, and tells whether its server is one of Citus. */
async function begin(client: pg.ClientBase, beginning: string): Promise<boolean> {
  // Of several statements at once the driver gives a list, which its types do not know.
  const results: unknown = await client.query(beginning);
  const last = (results as readonly pg.QueryResult<{ is_citus: boolean }>[]).at(-1);
  return last?.rows[0]?.is_citus === true;
}

interface OpenPool {
  readonly pool: pg.Pool;
  readonly shares: Shares;
  readonly changes: PlanChanges;
  close(): Promise<void>;
}

function openPool(
  deps: DatabaseDeps,
  input: PoolInput,
  prepare: (client: pg.ClientBase) => Promise<void> = async () => undefined,
): OpenPool {
  const changes = createPlanChanges();
  const beginning = beginningOf(input);
  const onConnect = async (client: pg.ClientBase) => {
    const isCitus = await begin(client, beginning);
    changes.opened(client, { isCitus });
    await prepare(client);
  };
  const pool = new pg.Pool({
    ...connectionOptions(input.connectionString),
    max: input.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    query_timeout: input.answerTimeoutMs ?? answerTimeoutDefaultMs,
    application_name: applicationName('recoup', input.schema),
    types,
    // A simulation plans its own way.
    ...(input.Client === undefined ? { onConnect } : { Client: input.Client }),
  });
  const shares = new Shares({
    places: input.poolSize,
    perSender: input.perSender ?? input.poolSize,
    waitMs: input.placeWaitMs ?? placeWaitDefaultMs,
  });
  let isClosing = false;
  // An idle connection that breaks is replaced by the pool; without a listener it would end us.
  pool.on('error', (error) => {
    if (!isClosing) deps.log.warn(`A database connection broke: ${error.message}`);
  });

  // One that breaks between two statements of a transaction is nobody's to listen to: the next
  // statement on it fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { hears } = input;
  if (hears !== undefined) {
    pool.on('connect', (client) =>
      client.on('notification', ({ payload }) => hears.heard(payload)),
    );
  }
  return {
    pool,
    shares,
    changes,
    async close() {
      isClosing = true;
      await pool.end();
    },
  };
}

function databaseOver(deps: DatabaseDeps, opened: OpenPool, within?: () => Within): Database {
  const { pool, shares, changes } = opened;
  /** What was thrown, after whoever has to know of it was told. */
  const told = (error: unknown): never => {
    if (error instanceof AppError) deps.onRefused?.(error.code);
    throw error;
  };
  return {
    pool,
    query: <Row>(statement: Statement, values: readonly unknown[]) =>
      inPlace(shares, () =>
        within === undefined
          ? runAlone<Row>(opened, statement, values)
          : runWithin<Row>(pool, statement, values, within()),
      ).catch(told),
    transaction: (work, plans = 'as_the_server_chooses') =>
      inPlace(shares, () => {
        const begin = (client: pg.PoolClient): string => {
          const change = changes.within(client, plans);
          const own = change === undefined ? 'begin' : `begin; ${change}`;
          return within === undefined ? own : beginWithin(own, within());
        };
        return runWhole(pool, work, begin);
      }).catch(told),
    close: () => opened.close(),
  };
}

/** One transaction on a connection of its own. Once it has begun, nobody's leaving ends it. */
async function runWhole<T>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<T>,
  begin: (client: pg.PoolClient) => string,
): Promise<T> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    await client.query(begin(client));
    const result = await work({ query: (statement, values) => run(client, statement, values) });
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection without an answer has none to a rollback either; the server rolls back itself.
    broken = isGivenUp(error) ? error : await rollBack(client);
    throw databaseFault(error);
  } finally {
    client.release(broken);
  }
}

/** One statement in a transaction of its own that is held to a role and to merchants. */
async function runWithin<Row>(
  pool: pg.Pool,
  statement: Statement,
  values: readonly unknown[],
  within: Within,
): Promise<Row[]> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    const result = await queryWithin(client, statement, values, within);
    return result.rows as Row[];
  } catch (error) {
    // As the pool itself does: what a failed statement leaves behind is nobody's to know.
    broken = error instanceof Error ? error : new Error(String(error));
    throw databaseFault(error);
  } finally {
    client.release(broken);
  }
}

/** One statement in a transaction of its own, on whichever connection is free. */
async function runAlone<Row>(
  { pool, changes }: OpenPool,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    const change = changes.lasting(client, statement.plans ?? 'as_the_server_chooses');
    if (change !== undefined) await client.query(change);
    return await run<Row>(client, statement, values);
  } catch (error) {
    // As the pool itself does: what a failed statement leaves behind is nobody's to know.
    broken = error instanceof Error ? error : new Error(String(error));
    throw databaseFault(error);
  } finally {
    client.release(broken);
  }
}

async function run<Row>(
  client: pg.PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const result = await client.query({ name, text, values: [...values] });
    return result.rows as Row[];
  } catch (error) {
    throw databaseFault(error);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw isClosed(error) ? closed(error) : databaseFault(error);
  }
}

/** Of a connection, not of a statement: somebody set `allow_connections` to false. */
function isClosed(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55000';
}

function closed(cause: unknown): AppError {
  return new AppError('database_unreachable', 'The database is closed to connections.', { cause });
}

/**
 * The driver's own time-out, through `databaseFault` as the cause; and a server that takes no writes any more,
 * which may be the one that another has taken over from.
 */
function isGivenUp(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError && error.code === 'database_read_only') return true;
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message === 'Query read timeout';
}

async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('rollback failed');
  }
}

/** SQLSTATEs after which the same statement may simply be run again. */
const retryable = new Set(['40001', '40P01']);

/** Whether a statement failed only because of what ran beside it: a deadlock, a serialisation. */
export function isContention(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && retryable.has(error.code);
}
