import type { PgBoss } from 'pg-boss';
import { secondMs } from '../domain/clock.ts';
import { errorMessage } from './error-message.ts';
import type { JobQueueDeps } from './job-worker.ts';

/** Between two looks. Where the sandbox's time is moved past the next one, that one is at once. */
const everyMs = 2 * secondMs;
/**
 * After a move of the sandbox's clock: where the database's machine is a little behind this one, a job
 * that time has jumped to is found at the second look.
 */
const afterMoveMs = secondMs / 2;
const looksAfterMove = 4;

export interface JobLook {
  stop(): Promise<void>;
}

interface LookRow {
  readonly name: string;
  readonly is_due: boolean;
  readonly is_stuck: boolean;
}

/**
 * Looks for due jobs of all queues by one statement, and rings the workers of those that have some: pg-boss
 * would ask for each queue by itself, and each second write down that it did. A run whose process fell
 * silent, or that takes too long, has pg-boss look after all of them; seen once, it may be one that time
 * was just moved past.
 *
 * @param workers pg-boss's workers by the names of their queues, each of policy `exclusive`
 */
export function startJobLook(
  { log, jobClock }: Pick<JobQueueDeps, 'log' | 'jobClock'>,
  input: {
    readonly boss: PgBoss;
    readonly schema: string;
    readonly workers: ReadonlyMap<string, string>;
  },
): JobLook {
  const { boss, workers } = input;
  const text = lookIn(input.schema);
  const timers = jobClock ?? { setTimeout, clearTimeout, now: () => 0 };
  let isStopped = false;
  let isFailing = false;
  let wasStuck = false;
  let quickLooks = 0;
  let lastMs = timers.now();
  let timer: unknown;

  async function look(): Promise<void> {
    try {
      const { rows } = await boss.getDb().executeSql(text, [[...workers.keys()]]);
      const found = rows as readonly LookRow[];
      for (const { name, is_due: isDue } of found) {
        const worker = workers.get(name);
        if (isDue && worker !== undefined) boss.notifyWorker(worker);
      }
      const isStuck = found.some((row) => row.is_stuck);
      if (isStuck && wasStuck && !isStopped) await boss.supervise();
      wasStuck = isStuck;
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error: errorMessage(error) }, 'due jobs could not be looked for');
      isFailing = true;
    }
    plan();
  }

  function plan(): void {
    if (isStopped) return;
    const nowMs = timers.now();
    quickLooks = nowMs - lastMs > 2 * everyMs ? looksAfterMove : Math.max(0, quickLooks - 1);
    lastMs = nowMs;
    timer = timers.setTimeout(begin, quickLooks > 0 ? afterMoveMs : everyMs);
  }

  let looking: Promise<void> = Promise.resolve();
  function begin(): void {
    looking = look();
  }
  plan();
  return {
    async stop() {
      isStopped = true;
      timers.clearTimeout(timer as never);
      await looking;
    },
  };
}

/** The condition on state and policy is that of pg-boss's index of jobs that have not ended. */
const lookIn = (schema: string): string => `
  select name,
    bool_or(state < 'active' and start_after <= ${schema}.job_now()) as is_due,
    bool_or(state = 'active' and ${schema}.job_now() > least(
      heartbeat_on + heartbeat_seconds * interval '1 second',
      started_on + expire_seconds * interval '1 second')) as is_stuck
  from ${schema}.job
  where state <= 'active' and policy = 'exclusive' and name = any($1)
  group by name`;
