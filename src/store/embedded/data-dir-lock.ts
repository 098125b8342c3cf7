import { realpath } from 'node:fs/promises';
import { Socket } from 'node:net';
import pg from 'pg';
import { secondMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { poll } from './system/poll.ts';

/** What is connected to, and the folder that the server there must serve. */
export interface LockTarget {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly dir: string;
}

export interface DataDirLock {
  /** Resolves when the connection that holds the lock is gone, wanted or not. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** Any constant does: no other lock is taken in the database `postgres`. */
const lockKey = 1;
const connectWithinMs = 10 * secondMs;
/** The server takes a few milliseconds to see that a killed holder is gone. */
const holderGoneWithinMs = secondMs;

/**
 * Takes a data folder for this process: an advisory lock on a connection of its own, which ends
 * with the process however that dies, so that nothing depends on process ids. It is taken in the
 * database `postgres`, which leaves ours free to be copied or dropped.
 *
 * @throws AppError data_dir_in_use when another process holds it, data_dir_unusable when the server
 *   refuses the password, database_start_failed when it does not answer or serves another folder
 */
export async function holdDataDirLock(target: LockTarget): Promise<DataDirLock> {
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    host: '127.0.0.1',
    port: target.port,
    user: target.user,
    password: target.password,
    database: 'postgres',
    ssl: false,
    application_name: 'recoup data folder lock',
    connectionTimeoutMillis: connectWithinMs,
  });
  const lost = new Promise<void>((resolve) => client.once('end', () => resolve()));
  // The end of the connection is what counts; the reason comes as an error before it.
  client.on('error', () => {});
  try {
    await client.connect();
    await checkFolder(client, target.dir);
    const isHeld = await poll(holderGoneWithinMs, async () => (await tryLock(client)) || undefined);
    if (isHeld === undefined) throw new AppError('data_dir_in_use');
  } catch (error) {
    await client.end().catch(() => {});
    throw asAppError(error, target);
  }
  // The lock alone must not keep a process alive that has nothing else to do.
  socket.unref();
  return {
    lost,
    release() {
      // Whoever waits for its end does: a failed start says afterwards why it failed.
      socket.ref();
      return client.end();
    },
  };
}

async function checkFolder(client: pg.Client, dir: string): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const served = await realpath(rows[0]?.data_directory ?? '').catch(() => undefined);
  if (served !== (await realpath(dir))) {
    throw new AppError('database_start_failed', `The server on its port serves another folder.`);
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const sql = 'select pg_try_advisory_lock($1) as held';
  const { rows } = await client.query<{ held: boolean }>(sql, [lockKey]);
  return rows[0]?.held === true;
}

/** SQLSTATE class of a refused password or role. */
const refusedClass = '28';

function asAppError(error: unknown, target: LockTarget): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof pg.DatabaseError && error.code?.startsWith(refusedClass)) {
    const reason = `The database in ${target.dir} refuses the password that lies beside it.`;
    return new AppError('data_dir_unusable', reason, { cause: error });
  }
  const why = error instanceof Error ? error.message : String(error);
  const reason = `The embedded database does not answer on port ${target.port}: ${why}.`;
  return new AppError('database_start_failed', reason, { cause: error });
}
