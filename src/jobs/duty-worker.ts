import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { type Clock, laterOf } from '../domain/clock.ts';
import { invariant } from '../domain/errors.ts';
import type { JsonObject } from '../domain/payment.ts';
import { type Duty, nextRunAt } from './duty.ts';
import type { DutyClock } from './duty-clock.ts';
import { errorWords } from './error-words.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface DutyQueueDeps {
  readonly clock: Clock;
  /** pg-boss's own time, in the sandbox; absent, it uses the system's. */
  readonly dutyClock?: DutyClock;
  readonly log: {
    info(fields: Fields, message: string): void;
    warn(fields: Fields, message: string): void;
    error(fields: Fields, message: string): void;
  };
}

/**
 * Waits between two looks for work. The sandbox's is pg-boss's least: where the database's machine is
 * a little behind this one, a duty that time has jumped to is found at the second look.
 */
const pollSeconds = 2;
const sandboxPollSeconds = 0.5;

export interface WorkerDeps extends DutyQueueDeps {
  readonly boss: PgBoss;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** The id of the worker that it starts. A recurrent duty that has no row is given its first. */
export async function startWorker(deps: WorkerDeps, duty: Duty): Promise<string> {
  const { boss, clock } = deps;
  if (!('onDemand' in duty)) {
    await boss.send(duty.name, null, { startAfter: nextRunAt(duty.everyMs, clock.now()) });
  }
  const pollingIntervalSeconds = deps.dutyClock === undefined ? pollSeconds : sandboxPollSeconds;
  return boss.work(
    duty.name,
    { includeMetadata: true, pollingIntervalSeconds },
    async ([job]: JobWithMetadata<JsonObject>[]) => {
      if (job !== undefined) await runJob(deps, duty, job);
    },
  );
}

async function runJob(
  deps: WorkerDeps,
  duty: Duty,
  job: JobWithMetadata<JsonObject>,
): Promise<void> {
  const { log, clock, stopping } = deps;
  const fields = { duty: duty.name, job: job.id };
  const context = {
    // A process that has not yet heard that time was moved is behind the job's own time.
    at: laterOf(clock.now(), job.startAfter),
    signal: AbortSignal.any([stopping, job.signal]),
    progress: (done: number) => log.info({ ...fields, done }, 'a duty goes on'),
  };
  try {
    if ('onDemand' in duty) await duty.run(job.data, context);
    else {
      await duty.run(context);
      const ranAt = laterOf(clock.now(), job.startAfter);
      await handOver(deps.boss, job, nextRunAt(duty.everyMs, ranAt));
    }
  } catch (error) {
    if (context.signal.aborted) log.info(fields, 'a duty was interrupted; it goes on later');
    else log.error({ ...fields, error: errorWords(error) }, 'a duty failed; it is run again');
    throw error;
  }
}

/**
 * Completes a run and inserts the duty's next row, both or neither. Where the run had lost its claim
 * to another process, neither statement finds anything to do.
 */
async function handOver(
  boss: PgBoss,
  job: JobWithMetadata<JsonObject>,
  nextAt: Date,
): Promise<void> {
  const tx = await boss.getDb().beginTransaction?.();
  invariant(tx !== undefined, 'the duty queue has transactions');
  try {
    await boss.complete(job.name, job, null, { db: tx.db });
    await boss.send(job.name, null, { startAfter: nextAt, db: tx.db });
    await tx.commit();
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}
