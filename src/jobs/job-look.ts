import type { PgBoss } from 'pg-boss';
import { secondMs } from '../domain/clock.ts';
import { queueFaultMessage } from './errors/queue-fault.ts';
import type { JobQueueDeps } from './job-worker.ts';

/** Between two looks, at least. Where the sandbox's time is moved past the next one, that one is at once. */
const everyMs = 2 * secondMs;
/** At most, where a process that asks for a run rings: what a ring that was lost costs. */
const restMs = 10 * secondMs;
/**
 * After a move of the sandbox's clock: where the database's machine is a little behind this one, a job
 * that time has jumped to is found at the second look.
 */
const afterMoveMs = secondMs / 2;
const looksAfterMove = 4;

export interface JobLook {
  /** Looks now: somebody asked for a run. */
  now(): void;
  stop(): Promise<void>;
}

interface LookRow {
  readonly name: string;
  readonly is_due: boolean;
  readonly is_active: boolean;
  readonly is_stuck: boolean;
  /** Until its first job that is not due; null where there is none. */
  readonly next_in_ms: number | null;
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
  deps: Pick<JobQueueDeps, 'log' | 'jobClock' | 'rings' | 'databaseFault'>,
  input: {
    readonly boss: PgBoss;
    readonly schema: string;
    readonly workers: ReadonlyMap<string, string>;
  },
): JobLook {
  const { log, jobClock, rings } = deps;
  const { boss, workers } = input;
  const text = lookIn(input.schema);
  const timers = jobClock ?? { setTimeout, clearTimeout, now: () => 0 };
  let isStopped = false;
  let isFailing = false;
  let wasStuck = false;
  let quickLooks = 0;
  let nextMs = timers.now();
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
      plan(found);
    } catch (error) {
      const fields = { error: queueFaultMessage(error, deps.databaseFault) };
      if (!isFailing) log.warn(fields, 'due jobs could not be looked for');
      isFailing = true;
      plan([]);
    }
  }

  function plan(found: readonly LookRow[]): void {
    if (isStopped) return;
    const nowMs = timers.now();
    quickLooks = nowMs - nextMs > everyMs ? looksAfterMove : Math.max(0, quickLooks - 1);
    const waitMs = quickLooks > 0 ? afterMoveMs : restOf(found, rings !== undefined);
    nextMs = nowMs + waitMs;
    timers.clearTimeout(timer as never);
    timer = timers.setTimeout(begin, waitMs);
  }

  let looking: Promise<void> = Promise.resolve();
  function begin(): void {
    looking = looking.then(look);
  }
  plan([]);
  return {
    now() {
      if (!isStopped) begin();
    },
    async stop() {
      isStopped = true;
      timers.clearTimeout(timer as never);
      await looking;
    },
  };
}

/** What is under way ends, or makes its next job, at a time that nobody knows. */
function restOf(found: readonly LookRow[], isRung: boolean): number {
  const isAtRest = found.length > 0 && found.every((row) => !row.is_due && !row.is_active);
  if (!isRung || !isAtRest) return everyMs;
  const nextInMs = Math.min(...found.map((row) => row.next_in_ms ?? restMs));
  return Math.min(restMs, Math.max(everyMs, nextInMs));
}

/** The condition on state and policy is that of pg-boss's index of jobs that have not ended. */
const lookIn = (schema: string): string => `
  select name,
    bool_or(state < 'active' and start_after <= ${schema}.job_now()) as is_due,
    bool_or(state = 'active') as is_active,
    1000 * extract(epoch from min(start_after) filter (
      where state < 'active' and start_after > ${schema}.job_now()) - ${schema}.job_now())::float8 as next_in_ms,
    bool_or(state = 'active' and ${schema}.job_now() > least(
      heartbeat_on + heartbeat_seconds * interval '1 second',
      started_on + expire_seconds * interval '1 second')) as is_stuck
  from ${schema}.job
  where state <= 'active' and policy = 'exclusive' and name = any($1)
  group by name`;
