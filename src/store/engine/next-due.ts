import type { Queryable, Statement } from '../database.ts';
import { type JobTable, jobTables, ofEachJobTable } from '../job-tables.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { dueAt, fewRows, isDueBy, isPausable, unlessOwnerPaused } from './pick-due.ts';

/** Due times of one table that are read at once. */
const maxTimes = 50;

/**
 * What is leased is somebody's; it is due again when its lease ends, and found by a later look. What waits
 * for its endpoint is passed over, and there may be any number of it: so not all of a table is read.
 */
const timesOf = (table: JobTable): string => `
  select '${table}' as name, t.next_attempt_at as at from (
    select w.next_attempt_at from (
      select * from ${table} w where ${isDueBy('w', '$2')}
      order by ${dueAt('w')} ${isPausable(table) ? `limit ${fewRows}` : ''}
    ) w
    where (w.lease_until is null or w.lease_until <= $1) ${unlessOwnerPaused(table, 'w')} ${unlessMoved('w')}
    limit ${maxTimes}
  ) t`;

/** Where all that was read may wait for its endpoint, something behind it is taken to be due. */
const behind = (table: JobTable): string => `
  select '${table}' as name, $1 as at from (
    select 1 from ${table} w where ${isDueBy('w', '$1')}
    order by ${dueAt('w')} offset ${fewRows - 1} limit 1
  ) t`;

const read: Statement = {
  name: 'read_next_due',
  plans: 'kept',
  text: [...jobTables.map(timesOf), ...jobTables.filter(isPausable).map(behind)].join(
    ' union all ',
  ),
};

/** Due times of one table, the earliest first. */
export interface DueTimes {
  readonly at: readonly Date[];
  /** There are no more of them until the time that was asked for. */
  readonly isAll: boolean;
}

/** How long the work that nobody has and that waits longest has been due, of each table; 0 where none waits. */
export async function readLongestWaits(
  db: Queryable,
  now: Date,
): Promise<Readonly<Record<JobTable, number>>> {
  const due = await readNextDue(db, { now, until: now });
  return ofEachJobTable((table) => {
    const [first] = due[table].at;
    return first === undefined ? 0 : Math.max(0, now.getTime() - first.getTime());
  });
}

/** When work that nobody has is due, of each table, until a time: one cheap look for all of them. */
export async function readNextDue(
  db: Queryable,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<Readonly<Record<JobTable, DueTimes>>> {
  const rows = await db.query<{ name: JobTable; at: Date }>(read, [now, until]);
  return ofEachJobTable((table) => {
    const at = rows
      .filter(({ name }) => name === table)
      .map((row) => row.at)
      .toSorted((one, other) => one.getTime() - other.getTime());
    return { at, isAll: at.length < maxTimes };
  });
}
