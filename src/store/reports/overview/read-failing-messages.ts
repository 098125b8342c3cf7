import { addMs, dayMs } from '../../../domain/clock.ts';
import type { Alert } from '../../../recovery/alerts/alert.ts';
import type { Queryable, Statement } from '../../database.ts';

/** Messages that were given up are told of for a day. */
const givenUpWithinMs = dayMs;

/**
 * Messages to customers that the mail server did not take at two sends, a quarter of an hour apart, or took at none
 * and were given up since `$2`; of a merchant none of whose messages was taken after the last of these sends was begun.
 * `words`: what it answered last.
 */
const failing: Statement = {
  name: 'alert_messages_failing',
  text: `
    with messages as (
      select merchant_id, state, tries, created_at, ended_at, last_error from customer_messages
      where state = 'sending' or ended_at >= $2
      union all
      select merchant_id, state, tries, written_at, ended_at, last_error from card_messages
      where state = 'sending' or ended_at >= $2
    )
    select m.merchant_id, m.name, f.count, f.since, f.words
    from merchants m
    join (
      select merchant_id,
             (count(*) filter (where not_taken))::int as count,
             min(created_at) filter (where not_taken) as since,
             max(created_at) filter (where not_taken) as last_begun_at,
             max(ended_at) filter (where state = 'sent') as last_sent_at,
             (array_agg(last_error order by created_at desc) filter (where not_taken))[1] as words
      from messages
      cross join lateral (
        select tries >= 2 and last_error is not null and state in ('sending', 'given_up')
      ) t (not_taken)
      group by merchant_id
    ) f using (merchant_id)
    where m.messages_on and f.count > 0 and ($1::text[] is null or m.merchant_id = any($1))
      and (f.last_sent_at is null or f.last_sent_at < f.last_begun_at)
    order by f.count desc, m.merchant_id
    limit 20`,
};

interface FailingRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly count: number;
  readonly since: Date;
  readonly words: string;
}

/** Merchants whose messages to customers do not go out. */
export async function readFailingMessages(
  db: Queryable,
  { merchantIds, now }: { readonly merchantIds?: readonly string[]; readonly now: Date },
): Promise<readonly Alert[]> {
  const values = [merchantIds, addMs(now, -givenUpWithinMs)];
  const rows = await db.query<FailingRow>(failing, values);
  return rows.map((row) => ({
    kind: 'messages_failing',
    merchantId: row.merchant_id,
    merchantName: row.name,
    count: row.count,
    message: row.words,
    at: row.since,
  }));
}
