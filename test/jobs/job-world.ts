import type { BackgroundJob, PeriodicJob } from '../../src/jobs/background-job.ts';
import { type ClockDriver, createClockDriver } from '../../src/jobs/clock-driver.ts';
import { startClockFollower } from '../../src/jobs/clock-follower.ts';
import { createJobClock } from '../../src/jobs/job-clock.ts';
import { type JobQueue, startJobQueue } from '../../src/jobs/job-queue.ts';
import { createJobTimes, type JobTimes } from '../../src/jobs/job-times.ts';
import type { JobQueueDeps } from '../../src/jobs/job-worker.ts';
import { createMovableClock, type MovableClock } from '../../src/jobs/movable-clock.ts';
import {
  clockOffsetSql,
  readClockOffset,
  writeClockOffset,
} from '../../src/store/clock/sandbox-clock.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { databaseFault } from '../../src/store/database-fault.ts';
import { createTestDatabase, type TestDatabase } from '../kits/database.ts';

interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What one process of a service has of jobs. */
export interface JobProcess {
  readonly queue: JobQueue;
  readonly clock: MovableClock;
  readonly times: JobTimes;
  readonly driver: ClockDriver;
  readonly lines: readonly Line[];
  stop(): Promise<void>;
}

export interface JobWorld {
  readonly connectionString: string;
  readonly jobsSchema: string;
  readonly db: Database;
  start(
    jobs: readonly BackgroundJob[],
    input?: { work?: boolean; sandbox?: boolean; rings?: NonNullable<JobQueueDeps['rings']> },
  ): Promise<JobProcess>;
  close(): Promise<void>;
}

const machine = { now: () => new Date() };

/** A database of its own, and processes that share it as those of one sandbox do. */
export async function openJobWorld(): Promise<JobWorld> {
  const database = await createTestDatabase();
  const { connectionString, jobsSchema, drop } = database;
  const db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 4 });
  const processes = new Set<JobProcess>();
  return {
    connectionString,
    jobsSchema,
    db,
    async start(jobs, { work = true, sandbox = true, ...rest } = {}) {
      const process = await startProcess(db, database, jobs, { work, sandbox, ...rest });
      const stop = async () => {
        if (processes.delete(process)) await process.stop();
      };
      processes.add(process);
      return { ...process, stop };
    },
    async close() {
      await Promise.all([...processes].map((process) => process.stop()));
      await db.close();
      await drop();
    },
  };
}

async function startProcess(
  db: Database,
  { connectionString, jobsSchema: schema }: TestDatabase,
  jobs: readonly BackgroundJob[],
  {
    work,
    sandbox,
    ...rest
  }: {
    readonly work: boolean;
    readonly sandbox: boolean;
    readonly rings?: NonNullable<JobQueueDeps['rings']>;
  },
): Promise<JobProcess> {
  const lines: Line[] = [];
  const write = (level: Line['level']) => (fields: Line['fields'], message: string) =>
    void lines.push({ level, message, fields });
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  const clock = createMovableClock({ base: machine, offsetMs: await readClockOffset(db) });
  const readOffset = () => readClockOffset(db);
  const jobClock = sandbox
    ? createJobClock({ clock, offsetMsSql: clockOffsetSql(undefined) })
    : undefined;
  const queue = await startJobQueue(
    {
      clock: sandbox ? clock : machine,
      log,
      databaseFault,
      ...(jobClock && { jobClock }),
      ...rest,
    },
    { connectionString, schema, applicationName: 'recoup jobs', jobs, work },
  );
  const follower = startClockFollower({ clock, readOffset, log });
  const times = createJobTimes(
    { query: (statement, values) => db.query(statement, values), schema },
    jobs,
  );
  const driver = createClockDriver({
    countDue: times.countDue,
    earliestJobAt: () => times.earliestJobAt(clock.now()),
    clock,
    base: machine,
    elapsedMs: () => performance.now(),
    earliestDue: async () => undefined,
    countPlanned: async () => ({ attempts: 0, deliveries: 0 }),
    refuseMove: async () => undefined,
    noteMove: async () => undefined,
    writeOffset: (offsetMs) => writeClockOffset(db, offsetMs),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log,
    grainMs: () => 1,
    stuckAfterMs: 20_000,
  });
  const stop = async () => {
    await follower.stop();
    await queue.stop();
  };
  return { queue, clock, times, driver, lines, stop };
}

/** A periodic job that notes when it ran and never twice at once. */
export function recorder(name: string, everyMs: number, onRun: (runs: number) => void = () => {}) {
  const runs: Date[] = [];
  let running = 0;
  let maxAtOnce = 0;
  const job: PeriodicJob = {
    name,
    everyMs,
    async run({ at }) {
      running += 1;
      maxAtOnce = Math.max(maxAtOnce, running);
      runs.push(at);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      onRun(runs.length);
    },
  };
  return { job, runs, maxAtOnce: () => maxAtOnce };
}

/** A promise, and what resolves it. */
export function signal<T = void>() {
  let give: (value: T) => void = () => undefined;
  const given = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
