import type { Queryable, Statement } from '../database.ts';
import { type JobTable, jobTables } from '../job-tables.ts';
import { dueAt, isDueBy } from './pick-due.ts';

/** Due times of one table that are read at once. */
const maxTimes = 50;

/** What is leased is somebody's; it is due again when its lease ends, and found by a later look. */
const timesOf = (table: JobTable): string => `
  select '${table}' as name, t.next_attempt_at as at from (
    select w.next_attempt_at from ${table} w
    where ${isDueBy('w', '$2')}
      and (w.lease_until is null or w.lease_until <= $1)
    order by ${dueAt('w')} limit ${maxTimes}
  ) t`;

const read: Statement = {
  name: 'read_next_due',
  plans: 'kept',
  text: `${jobTables.map(timesOf).join(' union all ')}`,
};

/** Due times of one table, the earliest first. */
export interface DueTimes {
  readonly at: readonly Date[];
  /** There are no more of them until the time that was asked for. */
  readonly isAll: boolean;
}

/** When work that nobody has is due, of each table, until a time: one cheap look for all of them. */
export async function readNextDue(
  db: Queryable,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<Readonly<Record<JobTable, DueTimes>>> {
  const rows = await db.query<{ name: JobTable; at: Date }>(read, [now, until]);
  const of = (table: JobTable): DueTimes => {
    const at = rows.filter(({ name }) => name === table).map((row) => row.at);
    return { at, isAll: at.length < maxTimes };
  };
  return {
    requests: of('requests'),
    payments: of('payments'),
    psp_transactions: of('psp_transactions'),
    deliveries: of('deliveries'),
  };
}
