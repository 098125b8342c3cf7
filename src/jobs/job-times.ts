import { dayMs } from '../domain/clock.ts';
import type { BackgroundJob } from './background-job.ts';

/** Runs one prepared statement, as the store does. A database that is away is an AppError. */
export type Query = <Row>(
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
) => Promise<Row[]>;

/** When jobs are due, in a process that runs them or in another. */
export interface JobTimes {
  /**
   * The earliest time that a job is due at; one that is being run counts until it has ended. Of those
   * that come round within the day only what is due at `now` counts: they look whether there is
   * anything to do, and time that is moved by days does not stop for each look.
   */
  earliestJobAt(now: Date): Promise<Date | undefined>;
  /** How many runs of each job are due at `at` or before, or being run. */
  countDue(at: Date): Promise<Readonly<Record<string, number>>>;
}

/** Runs that have not ended, by pg-boss's states. */
const open = `name = any($1) and state in ('created', 'retry', 'active')`;

/**
 * Rounded up to the millisecond, which is what an instant here can say: rounded down, it would be
 * reached before the run is due.
 */
const earliest = (schema: string) => ({
  name: 'earliest_job',
  text: `
    select date_trunc('milliseconds', min(start_after) + interval '999 microseconds') as at
    from ${schema}.job where ${open} and (name <> all($2) or start_after <= $3)`,
});

const due = (schema: string) => ({
  name: 'due_jobs',
  text: `
    select name, count(*)::int as count from ${schema}.job
    where ${open} and start_after <= $2 group by name order by name`,
});

/** SQLSTATEs of a schema or table that is not there: no process has run jobs yet. */
const absent = ['3F000', '42P01'];

/** @param jobs those of this version: a row that an older one left behind is nobody's */
export function createJobTimes(
  deps: {
    readonly query: Query;
    /** The one of pg-boss. */
    readonly schema: string;
  },
  jobs: readonly (Pick<BackgroundJob, 'name'> & { readonly everyMs?: number })[],
): JobTimes {
  const names = jobs.map(({ name }) => name);
  const frequent = jobs.filter(({ everyMs }) => everyMs !== undefined && everyMs < dayMs);
  const frequentNames = frequent.map(({ name }) => name);
  return {
    async earliestJobAt(now) {
      const values = [names, frequentNames, now];
      const rows = await orNone(deps.query<{ at: Date | null }>(earliest(deps.schema), values));
      return rows[0]?.at ?? undefined;
    },
    async countDue(at) {
      const rows = await orNone(
        deps.query<{ name: string; count: number }>(due(deps.schema), [names, at]),
      );
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },
  };
}

async function orNone<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (error) {
    if (absent.includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
