import type { Queryable } from './database.ts';

const statement = {
  name: 'count_requests',
  text: `
    with swept as (
      delete from request_counts where window_starts_at < $3::timestamptz - interval '2 minutes'
    )
    insert into request_counts as counts (scope, sender, window_starts_at, requests)
    values ($1, $2, $3, $4)
    on conflict (scope, sender, window_starts_at)
      do update set requests = counts.requests + excluded.requests
    returning requests`,
};

/** Adds requests of a sender's minute to those of all processes, and gives the sum. */
export async function countRequests(
  db: Queryable,
  of: {
    readonly scope: string;
    readonly sender: string;
    readonly windowStartsAt: Date;
    readonly requests: number;
  },
): Promise<number> {
  const values = [of.scope, of.sender, of.windowStartsAt, of.requests];
  const [row] = await db.query<{ requests: number }>(statement, values);
  return row?.requests ?? of.requests;
}
