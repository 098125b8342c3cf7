import { present } from '../../domain/present.ts';
import type { FailingDeliveries, LateWork } from '../../recovery/checkup/checkup-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessPaused } from '../due-times.ts';
import { jobTables } from '../job-tables.ts';
import { unlessLeft, unlessMoved } from '../moving/unless-moved.ts';

/** Deliveries that failed wait for hours, and merchants on their way to another cell: both are told of by themselves. */
const late: Statement = {
  name: 'checkup_late_work',
  text: jobTables
    .map(
      (table) => `
        select '${table}' as name, count(*)::int as count, min(next_attempt_at) as oldest
        from ${table} w where next_attempt_at < $1 ${unlessPaused[table] ?? ''} ${unlessMoved('w')}
        having count(*) > 0`,
    )
    .join(' union all '),
};

export async function listLate(db: Queryable, before: Date): Promise<readonly LateWork[]> {
  const rows = await db.query<{ name: string; count: number; oldest: Date }>(late, [before]);
  return rows.map(({ name, count, oldest }) => ({ table: name, count, oldestDueAt: oldest }));
}

const unresolved: Statement = {
  name: 'checkup_unresolved',
  text: `
    select count(*)::int as count from psp_transactions t
    where state = 'unknown' and next_attempt_at is null ${unlessLeft('t')}`,
};

export async function countUnresolved(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(unresolved, []);
  return row?.count ?? 0;
}

/** A webhook is given up by its last send, a week after it was created; rows of before sends were dated have no such time. */
const failingIn = (table: string, own = ''): string => `
        select state, last_error from ${table} d
        where d.merchant_id = m.merchant_id
          and (d.state = 'pending' and d.last_error is not null
            or d.state = 'exhausted' and coalesce(d.last_sent_at, d.created_at) >= $1) ${own}`;

/** What was on its way to an endpoint that was removed is nobody's to repair. */
const isThere = `
          and exists (
            select from endpoints e
            where e.merchant_id = d.merchant_id and e.endpoint_id = d.endpoint_id and e.removed_at is null)`;

const failing: Statement = {
  name: 'checkup_failing_deliveries',
  text: `
    select m.merchant_id, d.failing, d.exhausted, d.last_error
    from merchants m cross join lateral (
      select count(*) filter (where state = 'pending')::int as failing,
        count(*) filter (where state = 'exhausted')::int as exhausted,
        max(last_error) as last_error
      from (${failingIn('deliveries')} union all ${failingIn('endpoint_deliveries', isThere)}) d
    ) d
    where d.failing + d.exhausted > 0 ${unlessMoved('m')}
    order by d.exhausted desc, d.failing desc limit 20`,
};

interface FailingRow {
  readonly merchant_id: string;
  readonly failing: number;
  readonly exhausted: number;
  readonly last_error: string | null;
}

/** Of the merchants with the most, those given up counted from `exhaustedSince`. */
export async function listFailingDeliveries(
  db: Queryable,
  exhaustedSince: Date,
): Promise<readonly FailingDeliveries[]> {
  const rows = await db.query<FailingRow>(failing, [exhaustedSince]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    failing: row.failing,
    exhausted: row.exhausted,
    ...present({ lastError: row.last_error ?? undefined }),
  }));
}
