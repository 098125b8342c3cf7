import type { Psp } from '../../domain/psps.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/** A dispute whose deadline comes near. */
export interface DueDispute {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly psp: Psp;
  readonly respondBy: Date;
  /** The step that was reached: so many days are left, or fewer. */
  readonly stepDays: number;
}

/**
 * Takes those that reached a step of which was not warned yet, and notes that they were. A dispute that
 * is told of late gets the one warning that fits. Past deadlines warn nobody: nothing can be done.
 */
const take: Statement = {
  name: 'take_due_disputes',
  text: `
    with due as (
      select * from (
        select d.merchant_id, d.dispute_id, s.days
        from disputes d
        cross join lateral (
          select min(days) as days from unnest($2::int[]) as days
          where d.respond_by <= $1::timestamptz + make_interval(days => days)
        ) s
        where d.respond_by is not null and d.status = 'needs_response'
          and d.respond_by > $1
          and d.respond_by <= $1::timestamptz
            + make_interval(days => (select max(days) from unnest($2::int[]) as days))
          and (d.warned_days is null or d.warned_days > s.days)
          ${unlessMoved('d')}
        order by d.respond_by, d.merchant_id, d.dispute_id
        limit $3
        for update of d skip locked
      ) locked offset 0
    )
    update disputes d set warned_days = due.days
    from due
    where d.merchant_id = due.merchant_id and d.dispute_id = due.dispute_id
    returning d.merchant_id, d.dispute_id, d.psp, d.respond_by, d.warned_days`,
};

interface DueRow {
  readonly merchant_id: string;
  readonly dispute_id: string;
  readonly psp: Psp;
  readonly respond_by: Date;
  readonly warned_days: number;
}

export async function warnDueDisputes(
  db: Queryable,
  input: { readonly at: Date; readonly steps: readonly number[]; readonly limit: number },
): Promise<readonly DueDispute[]> {
  const rows = await db.query<DueRow>(take, [input.at, input.steps, input.limit]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    disputeId: row.dispute_id,
    psp: row.psp,
    respondBy: row.respond_by,
    stepDays: row.warned_days,
  }));
}
