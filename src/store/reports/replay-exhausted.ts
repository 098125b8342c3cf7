import type { Queryable, Statement } from '../database.ts';

/** So many in one transaction: short enough that senders beside it never wait long. */
const batchMost = 1_000;

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
 * Queues every exhausted delivery of the merchant that was created since, oldest first; how many.
 * One that fails again cannot come back in the same call: its window is a week.
 */
export async function replayExhausted(
  db: Queryable,
  input: { readonly merchantId: string; readonly since: Date; readonly at: Date },
): Promise<number> {
  let count = 0;
  for (;;) {
    const { merchantId, since, at } = input;
    const rows = await db.query(replay, [merchantId, since, at, batchMost]);
    count += rows.length;
    if (rows.length < batchMost) return count;
  }
}
