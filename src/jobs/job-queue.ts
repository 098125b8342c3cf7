import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { dayMs, minuteMs, secondMs } from '../domain/clock.ts';
import { errorMessage } from '../domain/errors/error-message.ts';
import { AppError, invariant } from '../domain/errors.ts';
import type { JsonObject } from '../domain/payment.ts';
import { present } from '../domain/present.ts';
import type { BackgroundJob } from './background-job.ts';
import { declareQueues } from './declare-queues.ts';
import { isFaultOfSql, isOfConnection, queueFaultMessage } from './errors/queue-fault.ts';
import { followOffset } from './follow-offset.ts';
import { type JobLook, startJobLook } from './job-look.ts';
import { type JobQueueDeps, startWorker, unrungSeconds } from './job-worker.ts';
import { letRolesLook } from './let-roles-look.ts';

export interface JobQueueInput {
  readonly connectionString: string;
  /** Of pg-boss, which makes it. */
  readonly schema: string;
  /** What its connections are called in the server's lists. */
  readonly applicationName: string;
  /** The driver's client by another one: of several servers. */
  readonly Client?: object;
  readonly jobs: readonly BackgroundJob[];
  /** False in a process that only asks for jobs, such as one with the operator's port alone. */
  readonly work: boolean;
  /** Roles of the database that may look at the jobs, beside the login. */
  readonly readers?: readonly string[];
}

export interface JobQueue {
  /**
   * Asks for a run of an on-demand job. Of two runs with one key that have not ended there is only
   * the first; one that failed, and waits to be run again, is run now.
   *
   * @throws AppError database_unreachable
   */
  request(name: string, asked: { input: JsonObject; key: string }): Promise<'queued' | 'known'>;
  /** Takes nothing more and ends what runs at its next step; the rest is run again later. */
  stop(): Promise<void>;
}

/** BackgroundJobs are few and small: one connection for them and one for what maintains them. */
const maxConnections = 2;

/**
 * Longer than jobs that come round each minute rest. The pool's own 10 seconds are as long as a rest of the look for due
 * jobs, so that nearly each look made a connection anew.
 */
const idleTimeoutMillis = 2 * minuteMs;

/**
 * On Citus its tables are of the node that a process is connected to, and of no other: they are made there, as they
 * would not be if they were to be known everywhere. Any other server takes it for a setting of somebody else.
 */
async function makeTablesHere(client: pg.ClientBase): Promise<void> {
  await client.query('set citus.enable_ddl_propagation = off');
}

/** How soon after the last one a look for silent workers and expired runs that is asked for is made. */
const superviseAgainSeconds = 1;

/** A run that does not end within this is left to be failed, and run again by others. */
const stopWithinMs = 10 * secondMs;

/**
 * Starts pg-boss in its own schema of the database, and a worker for each job. A periodic job is
 * one row of pg-boss: when a run succeeds, one transaction completes its row and inserts the next,
 * due at the next multiple of the job's period; a run that fails keeps its row. So that row is the
 * one truth of when the job is due, no cron has to tick while time jumps, and, since a queue admits
 * one row that has not ended, no two processes run a job at once.
 *
 * @throws AppError database_unreachable, migration_failed
 */
export async function startJobQueue(deps: JobQueueDeps, input: JobQueueInput): Promise<JobQueue> {
  const { log } = deps;
  const boss = new PgBoss({
    connectionString: input.connectionString,
    // pg-boss hands the pool what it is given, beyond what its types name.
    ...present({ Client: input.Client, idleTimeoutMillis, onConnect: makeTablesHere }),
    schema: input.schema,
    application_name: input.applicationName,
    max: maxConnections,
    connectionTimeoutMillis: 5 * secondMs,
    supervise: input.work,
    superviseIntervalSeconds: unrungSeconds,
    monitorIntervalSeconds: superviseAgainSeconds,
    // What Recoup does not use: cron, job flows; and care for tables that hold a few hundred rows.
    schedule: false,
    flowIntervalSeconds: dayMs / secondMs,
    reindex: false,
    monitorVacuum: false,
    ...present({ clock: deps.jobClock }),
  });
  const stopping = new AbortController();
  boss.on('error', (error) => {
    // A connection that the database's end takes along while we end is no failure.
    if (stopping.signal.aborted) return;
    log.error({ error: queueFaultMessage(error, deps.databaseFault) }, failureWords(error));
  });
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'the job queue warns'));
  const workers = new Map<string, string>();
  let look: JobLook | undefined;
  try {
    await boss.start();
    await followOffset(boss.getDb(), input.schema, deps.jobClock?.offsetMsSql);
    await letRolesLook(boss.getDb(), input.schema, input.readers ?? []);
    await declareQueues(boss, input.jobs);
    if (input.work) {
      for (const job of input.jobs) {
        workers.set(job.name, await startWorker({ ...deps, boss, stopping: stopping.signal }, job));
      }
      look = startJobLook(deps, { boss, schema: input.schema, workers });
      deps.rings?.on(look.now);
    }
  } catch (error) {
    await boss.stop({ graceful: false });
    throw startFault(error);
  }
  return {
    async request(name, asked) {
      const isKnown = input.jobs.some((job) => job.name === name && 'onDemand' in job);
      invariant(isKnown, 'a job that is asked for is one of the on-demand jobs');
      const worker = workers.get(name);
      const ring = () => (worker === undefined ? deps.rings?.ring() : boss.notifyWorker(worker));
      return request(boss, { name, schema: input.schema, ring }, asked);
    },
    async stop() {
      await look?.stop();
      await stop(boss, [...workers.keys()], stopping);
    },
  };
}

async function request(
  boss: PgBoss,
  { name, schema, ring }: { readonly name: string; readonly schema: string; ring(): void },
  asked: { readonly input: JsonObject; readonly key: string },
): Promise<'queued' | 'known'> {
  try {
    const id = await boss.send(name, asked.input, { singletonKey: asked.key });
    // Whoever asks again has mended something: what waits after a failure may wait for an hour.
    if (id === null) await boss.getDb().executeSql(runNow(schema), [name, asked.key]);
    ring();
    return id === null ? 'known' : 'queued';
  } catch (error) {
    throw isFaultOfSql(error)
      ? error
      : new AppError('database_unreachable', undefined, { cause: error });
  }
}

const runNow = (schema: string) => `
  update ${schema}.job set start_after = created_on
  where name = $1 and singleton_key = $2 and state = 'retry'`;

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

/** A connection that was cut is made again at the next look: nothing has to be done about it. */
function failureWords(error: unknown): string {
  return isOfConnection(error)
    ? 'the job queue lost its connection to the database, and makes a new one when it next looks for jobs'
    : 'the job queue failed';
}

function startFault(error: unknown): AppError {
  return isFaultOfSql(error)
    ? new AppError(
        'migration_failed',
        `The job queue's tables could not be migrated to this version: ${errorMessage(error)}.`,
        { cause: error },
      )
    : new AppError('database_unreachable', undefined, { cause: error });
}
