import type { Queryable, Statement } from '../database.ts';

export interface ChargeCursor {
  /** As PostgreSQL writes it: a Date would cut its microseconds, and come before its own row. */
  readonly at: string;
  readonly merchantId: string;
  readonly attemptId: string;
  readonly ordinal: number;
}

/** Where nothing is known of a card or a code. */
const unnamed = 'unknown';

/**
 * Counts the next settled charges up to a time, in the order in which they settled. The days since the
 * failure are whole ones; the code is that of the decline that began the recovery. `offset 0` keeps
 * each look an index look: a plan for any limit would read all payments for some thousand charges.
 */
const counted = `
    settled as materialized (
      select t.*, p.failed_at, p.code, coalesce(m.bin, '${unnamed}') as bin
      from batch t
      cross join lateral (
        select p.failed_at,
               coalesce(p.first_decline ->> 'networkCode', p.first_decline ->> 'code',
                        '${unnamed}') as code
        from payments p
        where p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id
        offset 0
      ) p
      left join lateral (
        select left(m.bin, 6) as bin from payment_methods m
        where m.merchant_id = t.merchant_id and m.payment_method_id = t.payment_method_id
        offset 0
      ) m on true
    ),
    hours as (
      insert into charge_hour_rollups as r (merchant_id, hour, tries, successes)
      select merchant_id, date_trunc('hour', sent_at, 'UTC'), count(*), count(*) filter (where success)
      from settled group by 1, 2
      on conflict (merchant_id, hour) do update
      set tries = r.tries + excluded.tries, successes = r.successes + excluded.successes
    ),
    causes as (
      insert into charge_cause_rollups as r (merchant_id, day, dimension, bucket, tries, successes)
      select merchant_id, (sent_at at time zone 'UTC')::date, dimension, bucket,
             count(*), count(*) filter (where success)
      from settled
      cross join lateral (values
        ('days_since_failure',
         greatest(0, floor(extract(epoch from sent_at - failed_at) / 86400))::int::text),
        ('decline_code', left(code, 64)),
        ('bin', bin)
      ) as d (dimension, bucket)
      group by 1, 2, 3, 4
      on conflict (merchant_id, day, dimension, bucket) do update
      set tries = r.tries + excluded.tries, successes = r.successes + excluded.successes
    )`;

const count: Statement = {
  name: 'count_settled_charges',
  text: `
    with batch as materialized (
      select t.settled_at, t.merchant_id, t.attempt_id, t.ordinal, t.state = 'succeeded' as success,
             t.sent_at, t.invoice_id, t.payment_method_id
      from psp_transactions t
      where t.state in ('succeeded', 'declined') and t.settled_at >= $1::timestamptz and t.settled_at < $5
        and (t.settled_at, t.merchant_id, t.attempt_id, t.ordinal) > ($1::timestamptz, $2, $3, $4)
      order by t.settled_at, t.merchant_id, t.attempt_id, t.ordinal
      limit $6
    ),${counted}
    select settled_at::text as at, merchant_id, attempt_id, ordinal,
           (select count(*)::int from settled) as counted
    from settled
    order by settled_at desc, merchant_id desc, attempt_id desc, ordinal desc
    limit 1`,
};

/**
 * Counts all charges of one merchant that came into this cell with what they are, up to where the cell's own count
 * stands: those behind it are counted when that gets there. Nothing of the merchant may be counted yet, and the
 * progress is locked.
 */
const countMoved: Statement = {
  name: 'count_moved_charges',
  text: `
    with batch as materialized (
      select t.settled_at, t.merchant_id, t.attempt_id, t.ordinal, t.state = 'succeeded' as success,
             t.sent_at, t.invoice_id, t.payment_method_id
      from psp_transactions t
      join rollup_progress p on p.name = 'charges'
      where t.merchant_id = $1 and t.state in ('succeeded', 'declined') and p.cursor_at is not null
        and (t.settled_at, t.merchant_id, t.attempt_id, t.ordinal)
          <= (p.cursor_at, p.cursor_keys[1], p.cursor_keys[2], p.cursor_keys[3]::int)
    ),${counted}
    select count(*)::int as counted from settled`,
};

/** How many there were. */
export async function countMovedCharges(tx: Queryable, merchantId: string): Promise<number> {
  const [row] = await tx.query<{ counted: number }>(countMoved, [merchantId]);
  return row?.counted ?? 0;
}

/** How many were counted and where the last of them stands; undefined when none was left. */
export async function countCharges(
  tx: Queryable,
  input: { readonly after: ChargeCursor; readonly before: Date; readonly limit: number },
): Promise<{ readonly counted: number; readonly last: ChargeCursor } | undefined> {
  const { after, before, limit } = input;
  const [row] = await tx.query<{
    at: string;
    merchant_id: string;
    attempt_id: string;
    ordinal: number;
    counted: number;
  }>(count, [after.at, after.merchantId, after.attemptId, after.ordinal, before, limit]);
  if (row === undefined) return undefined;
  const { at, merchant_id: merchantId, attempt_id: attemptId, ordinal } = row;
  return { counted: row.counted, last: { at, merchantId, attemptId, ordinal } };
}
