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

export interface Exhausted {
  readonly merchantId: string;
  /** Deliveries created since then. */
  readonly since: Date;
}

/**
 * Queues up to `limit` exhausted deliveries of the merchant anew, oldest first; how many. One that
 * fails again is not exhausted before its new window ends, so repeated calls come to an end.
 */
export async function replayExhausted(
  db: Queryable,
  input: Exhausted & { readonly at: Date; readonly limit: number },
): Promise<number> {
  const { merchantId, since, at, limit } = input;
  const rows = await db.query(replay, [merchantId, since, at, limit]);
  return rows.length;
}

const count: Statement = {
  name: 'count_exhausted_deliveries',
  text: `
    select count(*)::int as count from deliveries
    where merchant_id = $1 and state = 'exhausted' and created_at >= $2`,
};

export async function countExhausted(db: Queryable, input: Exhausted): Promise<number> {
  const [row] = await db.query<{ count: number }>(count, [input.merchantId, input.since]);
  return row?.count ?? 0;
}
