import pg from 'pg';
import { AppError, type ErrorCode } from '../domain/errors.ts';

/** What a server says of itself, by its SQLSTATEs; the same at the start and later. */
const byState: Readonly<Partial<Record<string, ErrorCode>>> = {
  '28000': 'database_login_refused',
  '28P01': 'database_login_refused',
  '3D000': 'database_unknown',
  '53300': 'database_connections_exhausted',
  '53100': 'database_disk_full',
  '25006': 'database_read_only',
  // Limits that a server may have of its own end a session, not a statement.
  '25P03': 'database_unreachable',
  '25P04': 'database_unreachable',
  '58000': 'database_out_of_resources',
  '58030': 'database_out_of_resources',
  // Of ours: see store/moving/fence.ts.
  RC002: 'merchant_moving',
};

/** The SQLSTATEs of a server that lacks something, beside those that say what. */
const lacksClass = '53';

/** The code of what a PostgreSQL server refused; undefined for faults of statements. */
export function refusalOf(error: unknown): ErrorCode | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined;
  const isLacking = error.code.startsWith(lacksClass);
  return byState[error.code] ?? (isLacking ? 'database_out_of_resources' : undefined);
}

/** SQLSTATE classes of a server that is away: connection exceptions, operator intervention. */
const awayClasses = ['08', '57'];

/** Whether the connection broke or the server is away, and not our SQL or code is at fault. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'InvariantError') return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') {
    return /connection|timeout exceeded|read timeout|terminated|Client has/i.test(error.message);
  }
  return !(error instanceof pg.DatabaseError) || awayClasses.includes(code.slice(0, 2));
}

/** How the pool says that none of its connections came free in time; one that could not be made says otherwise. */
const poolIsFull = 'timeout exceeded when trying to connect';

/** A fault of the connection or the server becomes an AppError; a fault of our SQL stays what it is. */
export function databaseFault(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return new AppError(refusal, undefined, { cause: error });
  if (!isAway(error)) return error;
  if (error.message === poolIsFull)
    return new AppError('database_busy', undefined, { cause: error });
  return new AppError('database_unreachable', undefined, { cause: error });
}

/** What a connection that could not be made was kept from, with its place and without its password. */
export function connectFault(error: unknown, connectionString: string): AppError {
  if (error instanceof AppError) return error;
  const url = URL.parse(connectionString);
  const place = url === null ? 'the database' : `${url.hostname}:${url.port || '5432'}`;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return new AppError(refusal, undefined, { cause: error });
  if (!(error instanceof Error)) return new AppError('database_unreachable', undefined, {});
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') {
    return new AppError('database_refused', `Nothing takes connections at ${place}.`, {
      cause: error,
    });
  }
  if (/^timeout expired|connection timeout|^Query read timeout/.test(error.message)) {
    return new AppError('database_silent', `Nothing is said at ${place}.`, { cause: error });
  }
  const why = code === '' ? '' : ` (${code})`;
  return new AppError('database_unreachable', `The database at ${place} does not answer${why}.`, {
    cause: error,
  });
}

/**
 * Whether a statement for many rows failed for one of them, so that the others may be tried by
 * themselves: not where the database is away.
 */
export function isOfOneRow(error: unknown): boolean {
  return !(error instanceof AppError) || error.code === 'merchant_moving';
}
