import type { PlannedWork } from '../recovery/clock-api.ts';
import type { Queryable, Statement } from './database.ts';
import { type JobTable, jobTables } from './job-tables.ts';
import { unlessMoved } from './moving/unless-moved.ts';

/** What is kept for an endpoint that is paused is not due, whatever its time. */
export const unlessPaused: Readonly<Partial<Record<JobTable, string>>> = {
  deliveries: `and not exists (
     select from merchants p where p.merchant_id = w.merchant_id and p.webhook_paused_at is not null)`,
  endpoint_deliveries: `and not exists (
     select from endpoints p where p.merchant_id = w.merchant_id and p.endpoint_id = w.endpoint_id
       and p.paused_at is not null)`,
};

const earliestOf = (table: JobTable): string => `
  (select next_attempt_at from ${table} w where w.merchant_id = m.merchant_id
     and next_attempt_at is not null ${unlessPaused[table] ?? ''} order by next_attempt_at limit 1)`;

/**
 * The earliest due time of all work in all tables. Work that is leased counts with the time it was
 * due at, so nothing is due at or before a time exactly when all of it is done.
 */
const earliest: Statement = {
  name: 'earliest_due',
  text: `
    select min(due.next_attempt_at) as at
    from merchants m cross join lateral (${jobTables.map(earliestOf).join(' union all ')}) due
    where true ${unlessMoved('m')}`,
};

export async function earliestDue(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(earliest, []);
  return row?.at ?? undefined;
}

const count: Statement = {
  name: 'count_due',
  text: jobTables
    .map(
      (table) => `
        select '${table}' as name, count(*)::int as count
        from ${table} w where next_attempt_at <= $1 ${unlessPaused[table] ?? ''} ${unlessMoved('w')}`,
    )
    .join(' union all '),
};

/** How many rows of each table are due at `at` or before, or are being worked on. */
export async function countDue(db: Queryable, at: Date): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query<{ name: string; count: number }>(count, [at]);
  return Object.fromEntries(rows.map((row) => [row.name, row.count]));
}

const planned: Statement = {
  name: 'count_planned',
  text: `
    select
      (select count(*)::int from payments
       where next_attempt_at <= $1 and due_action = 'attempt') as attempts,
      (select count(*)::int from (
         select from deliveries w where next_attempt_at <= $1 ${unlessPaused.deliveries}
         union all
         select from endpoint_deliveries w
         where next_attempt_at <= $1 ${unlessPaused.endpoint_deliveries}) all_of_them) as deliveries`,
};

/** Attempts and webhooks that are planned for `to` or before. It reads them all: for the sandbox. */
export async function countPlanned(db: Queryable, to: Date): Promise<PlannedWork> {
  const [row] = await db.query<PlannedWork>(planned, [to]);
  return row ?? { attempts: 0, deliveries: 0 };
}
