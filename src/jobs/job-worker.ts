import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { type Clock, laterOf, minuteMs, secondMs } from '../domain/clock.ts';
import { errorMessage } from '../domain/errors/error-message.ts';
import { invariant } from '../domain/errors.ts';
import type { JsonObject } from '../domain/payment.ts';
import { type BackgroundJob, nextRunAt } from './background-job.ts';
import { errorToKeep } from './errors/error-to-keep.ts';
import type { JobClock } from './job-clock.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface JobQueueDeps {
  readonly clock: Clock;
  /** pg-boss's own time, in the sandbox; absent, it uses the system's. */
  readonly jobClock?: JobClock;
  /** Tells other processes that a run was asked for, and hears of it; absent, all look often. */
  readonly rings?: { ring(): void; on(listener: () => void): void };
  /** What a fault of the database is called here; any other error comes back as it is. */
  readonly databaseFault: (error: unknown) => unknown;
  readonly log: {
    info(fields: Fields, message: string): void;
    warn(fields: Fields, message: string): void;
    error(fields: Fields, message: string): void;
  };
}

/** How long pg-boss leaves its workers, and what it supervises, alone: both are rung when there is need. */
export const unrungSeconds = (5 * minuteMs) / secondMs;

export interface WorkerDeps extends JobQueueDeps {
  readonly boss: PgBoss;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** The id of the worker that it starts. A periodic job that has no row is given its first. */
export async function startWorker(deps: WorkerDeps, job: BackgroundJob): Promise<string> {
  const { boss, clock } = deps;
  if (!('onDemand' in job)) {
    await boss.send(job.name, null, { startAfter: nextRunAt(job.everyMs, clock.now()) });
  }
  return boss.work(
    job.name,
    { includeMetadata: true, pollingIntervalSeconds: unrungSeconds },
    async ([row]: JobWithMetadata<JsonObject>[]) => {
      if (row !== undefined) await runJob(deps, job, row);
    },
  );
}

async function runJob(
  deps: WorkerDeps,
  job: BackgroundJob,
  row: JobWithMetadata<JsonObject>,
): Promise<void> {
  const { log, clock, stopping } = deps;
  const fields = { job: job.name, run: row.id };
  const context = {
    // A process that has not yet heard that time was moved is behind the run's own time.
    at: laterOf(clock.now(), row.startAfter),
    signal: AbortSignal.any([stopping, row.signal]),
    progress: (done: number) => log.info({ ...fields, done }, 'a job goes on'),
  };
  try {
    if ('onDemand' in job) await job.run(row.data, context);
    else {
      await job.run(context);
      const ranAt = laterOf(clock.now(), row.startAfter);
      try {
        await handOver(deps.boss, row, nextRunAt(job.everyMs, ranAt));
      } catch (error) {
        throw deps.databaseFault(error);
      }
    }
  } catch (error) {
    if (context.signal.aborted) log.info(fields, 'a job was interrupted; it goes on later');
    else log.error({ ...fields, error: errorMessage(error) }, 'a job failed; it is run again');
    throw errorToKeep(error);
  }
}

/**
 * Completes a run and inserts the job's next row, both or neither. Where the run had lost its claim
 * to another process, neither statement finds anything to do.
 */
async function handOver(
  boss: PgBoss,
  row: JobWithMetadata<JsonObject>,
  nextAt: Date,
): Promise<void> {
  const tx = await boss.getDb().beginTransaction?.();
  invariant(tx !== undefined, 'the job queue has transactions');
  try {
    await boss.complete(row.name, row, null, { db: tx.db });
    await boss.send(row.name, null, { startAfter: nextAt, db: tx.db });
    await tx.commit();
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}
