import { PgBoss } from 'pg-boss';
import { dayMs, secondMs } from '../domain/clock.ts';
import { AppError, invariant } from '../domain/errors.ts';
import type { JsonObject } from '../domain/payment.ts';
import { declareQueues } from './declare-queues.ts';
import type { Duty } from './duty.ts';
import { type DutyQueueDeps, startWorker } from './duty-worker.ts';
import { errorWords } from './error-words.ts';
import { followOffset } from './follow-offset.ts';

export interface DutyQueueInput {
  readonly connectionString: string;
  readonly duties: readonly Duty[];
  /** False in a process that only asks for duties, such as one with the operator's port alone. */
  readonly work: boolean;
}

export interface DutyQueue {
  /**
   * Asks for a run of an on-demand duty. Of two jobs with one key that have not ended there is only
   * the first.
   *
   * @throws AppError database_unreachable
   */
  request(name: string, job: { input: JsonObject; key: string }): Promise<'queued' | 'known'>;
  /** Takes nothing more and ends what runs at its next step; the rest is run again later. */
  stop(): Promise<void>;
}

/** Duties are few and small: one connection for them and one for what maintains them. */
const maxConnections = 2;

/** Looks for workers that fell silent, and for jobs that have expired. */
const superviseSeconds = 1;

/** A run that does not end within this is left to be failed, and run again by others. */
const stopWithinMs = 10 * secondMs;

/**
 * Starts pg-boss in its own schema of the database, and a worker for each duty. A recurrent duty is
 * one row of pg-boss: when a run succeeds, one transaction completes its row and inserts the next,
 * due at the next multiple of the duty's period; a run that fails keeps its row. So that row is the
 * one truth of when the duty is due, no cron has to tick while time jumps, and, since a queue admits
 * one row that has not ended, no two processes run a duty at once.
 *
 * @throws AppError database_unreachable, migration_failed
 */
export async function startDutyQueue(
  deps: DutyQueueDeps,
  input: DutyQueueInput,
): Promise<DutyQueue> {
  const { log } = deps;
  const boss = new PgBoss({
    connectionString: input.connectionString,
    application_name: 'recoup duties',
    max: maxConnections,
    connectionTimeoutMillis: 5 * secondMs,
    supervise: input.work,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // What Recoup does not use: cron, job flows; and care for tables that hold a few hundred rows.
    schedule: false,
    flowIntervalSeconds: dayMs / secondMs,
    reindex: false,
    monitorVacuum: false,
    ...(deps.dutyClock === undefined ? {} : { clock: deps.dutyClock }),
  });
  boss.on('error', (error) => log.error({ error: errorWords(error) }, 'the duty queue failed'));
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'the duty queue warns'));
  const stopping = new AbortController();
  const workers = new Map<string, string>();
  try {
    await boss.start();
    await followOffset(boss.getDb(), deps.dutyClock?.offsetMsSql);
    await declareQueues(boss, input.duties);
    if (input.work) {
      for (const duty of input.duties) {
        workers.set(
          duty.name,
          await startWorker({ ...deps, boss, stopping: stopping.signal }, duty),
        );
      }
    }
  } catch (error) {
    await boss.stop({ graceful: false });
    throw startFault(error);
  }
  return {
    async request(name, job) {
      const isKnown = input.duties.some((duty) => duty.name === name && 'onDemand' in duty);
      invariant(isKnown, 'a duty that is asked for is one of the on-demand duties');
      return request(boss, workers.get(name), name, job);
    },
    stop: () => stop(boss, [...workers.keys()], stopping),
  };
}

async function request(
  boss: PgBoss,
  worker: string | undefined,
  name: string,
  job: { readonly input: JsonObject; readonly key: string },
): Promise<'queued' | 'known'> {
  try {
    const id = await boss.send(name, job.input, { singletonKey: job.key });
    if (worker !== undefined) boss.notifyWorker(worker);
    return id === null ? 'known' : 'queued';
  } catch (error) {
    throw isFaultOfSql(error)
      ? error
      : new AppError('database_unreachable', undefined, { cause: error });
  }
}

async function stop(
  boss: PgBoss,
  names: readonly string[],
  stopping: AbortController,
): Promise<void> {
  stopping.abort(new Error('The process stops.'));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, stopWithinMs);
  });
  await Promise.race([Promise.all(names.map((name) => boss.offWork(name, { wait: true }))), late]);
  clearTimeout(timer);
  // Not its graceful stop, which looks twice a second whether all has ended: by now it has.
  await boss.stop({ graceful: false });
}

function startFault(error: unknown): AppError {
  return isFaultOfSql(error)
    ? new AppError(
        'migration_failed',
        `The duty queue's tables could not be brought to this version: ${errorWords(error)}.`,
        { cause: error },
      )
    : new AppError('database_unreachable', undefined, { cause: error });
}

/**
 * SQLSTATEs have five characters and a digit; what the network throws has a name such as EPIPE. Those
 * of a server that takes no connection are left out: classes 08, 28, 3D, 53 and 57.
 */
const sqlState = /^(?!08|28|3D|53|57)(?=.*\d)[0-9A-Z]{5}$/;

function isFaultOfSql(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && sqlState.test(code);
}
