import type { ReplayProgress, ReplayScope } from '../../recovery/reports/webhooks.ts';
import type { Queryable, Statement } from '../database.ts';

/** A replay's first send opens a new redelivery window; the event's bytes and its ids stay. */
const replay: Statement = {
  name: 'replay_exhausted_deliveries',
  text: `
    update deliveries d
    set state = 'pending', window_started_at = null, next_attempt_at = $3, fence = d.fence + 1
    where (d.merchant_id, d.event_id) in (
      select merchant_id, event_id from deliveries
      where merchant_id = $1 and state = 'exhausted' and created_at >= $2
      order by created_at
      limit $4
      for update skip locked
    )
    returning true`,
};

/**
 * Queues up to `limit` exhausted deliveries of the merchant anew, oldest first; how many. One that
 * fails again is not exhausted before its new window ends, so repeated calls come to an end.
 */
export async function replayExhausted(
  db: Queryable,
  input: Omit<ReplayScope, 'until'> & { readonly at: Date; readonly limit: number },
): Promise<number> {
  const { merchantId, since, at, limit } = input;
  const rows = await db.query(replay, [merchantId, since, at, limit]);
  return rows.length;
}

const left: Statement = {
  name: 'count_left_of_replay',
  text: `
    select count(*) filter (where state = 'exhausted')::int as exhausted,
           count(*) filter (where state = 'pending' and window_started_at is null)::int as waiting,
           count(*) filter (where state = 'pending' and window_started_at is not null)::int as failing
    from deliveries
    where merchant_id = $1 and state in ('exhausted', 'pending') and created_at >= $2
      and created_at < coalesce($3, 'infinity'::timestamptz)`,
};

/** How the deliveries of a time stand that are not delivered. */
export async function countExhausted(db: Queryable, scope: ReplayScope): Promise<ReplayProgress> {
  const { merchantId, since, until } = scope;
  const [row] = await db.query<ReplayProgress>(left, [merchantId, since, until]);
  return row ?? { exhausted: 0, waiting: 0, failing: 0 };
}
