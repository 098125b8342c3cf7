import type { Queryable, Statement } from './database.ts';

/**
 * The earliest due time of all work in all tables. Work that is leased counts with the time it was
 * due at, so nothing is due at or before a time exactly when all of it is done.
 */
const earliest: Statement = {
  name: 'earliest_due',
  text: `
    select min(due.next_attempt_at) as at
    from merchants m
    cross join lateral (
      (select next_attempt_at from requests w where w.merchant_id = m.merchant_id
         and next_attempt_at is not null order by next_attempt_at limit 1)
      union all
      (select next_attempt_at from payments w where w.merchant_id = m.merchant_id
         and next_attempt_at is not null order by next_attempt_at limit 1)
      union all
      (select next_attempt_at from psp_transactions w where w.merchant_id = m.merchant_id
         and next_attempt_at is not null order by next_attempt_at limit 1)
      union all
      (select next_attempt_at from deliveries w where w.merchant_id = m.merchant_id
         and next_attempt_at is not null order by next_attempt_at limit 1)
    ) due`,
};

export async function earliestDue(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(earliest, []);
  return row?.at ?? undefined;
}
