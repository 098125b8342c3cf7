import type { PgBoss, QueueOptions } from 'pg-boss';
import { dayMs, hourMs, secondMs } from '../domain/clock.ts';
import type { BackgroundJob } from './background-job.ts';

/**
 * How the worker of a job is known to live: it says so every 5 s, and after 10 s of silence another
 * one runs the job again. pg-boss's defaults would wait for 15 minutes.
 */
const heartbeatSeconds = 10;

/** How long a run may hang while its process lives. The longest jobs run for minutes. */
const expirySeconds = hourMs / secondMs;

/** For ever, by any measure: a job that waits for its time must not be cleared away as forgotten. */
const retentionSeconds = (3_650 * dayMs) / secondMs;

/** What fails is run again after a second, then twice that, up to an hour. */
const queueOptions = {
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: hourMs / secondMs,
  expireInSeconds: expirySeconds,
  heartbeatSeconds,
  retentionSeconds,
} as const satisfies QueueOptions;

/** A periodic job's one row is what makes it come round, so it never gives up. */
const recurrentRetries = 1_000_000;
/** About ten hours; then an operator has to ask again. */
const onDemandRetries = 20;

/** Makes the queues that are not there, and brings those of an older version to these options. */
export async function declareQueues(boss: PgBoss, jobs: readonly BackgroundJob[]): Promise<void> {
  const found = await boss.getQueues(jobs.map((job) => job.name));
  const known = new Map(found.map((queue) => [queue.name, queue]));
  for (const job of jobs) {
    const retryLimit = 'onDemand' in job ? onDemandRetries : recurrentRetries;
    const wanted = { ...queueOptions, retryLimit };
    const queue = known.get(job.name);
    if (queue === undefined) {
      await boss.createQueue(job.name, { ...wanted, policy: 'exclusive' });
    } else if (!sameOptions(queue, wanted)) {
      await boss.updateQueue(job.name, wanted);
    }
  }
}

function sameOptions(queue: QueueOptions, wanted: QueueOptions): boolean {
  const keys = Object.keys(wanted) as readonly (keyof QueueOptions)[];
  return keys.every((key) => queue[key] === wanted[key]);
}
