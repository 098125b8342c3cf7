import type { Queryable, Statement } from '../database.ts';
import type { ChangeCursor, CountedStep } from './change-cursor.ts';
import { isCounted, paymentDimensions } from './payment-dimensions.ts';

/**
 * Counts the next payments in the order of their last change. Each sum takes what changed: the payment
 * as it is now, less what was counted of it before. One that was joined to another payment of its debt counts no more.
 */
const count: Statement = {
  name: 'count_changed_payments',
  text: `
    with changed as materialized (
      select p.*
      from payments p
      where p.updated_at >= $1::timestamptz and (p.updated_at, p.merchant_id, p.invoice_id) > ($1::timestamptz, $2, $3)
      order by p.updated_at, p.merchant_id, p.invoice_id
      limit $4
    ),
    before as materialized (
      select m.* from changed c
      cross join lateral (
        select m.* from rolled_up_payments m
        where m.merchant_id = c.merchant_id and m.invoice_id = c.invoice_id
        offset 0
      ) m
    ),
    now as materialized (select ${paymentDimensions} from changed p where ${isCounted('p')}),
    moved as materialized (
      select 1 as sign, n.* from now n
      union all
      select -1, b.* from before b
    ),
    cohorts as (
      insert into cohort_rollups as r
        (merchant_id, day, currency, category, outcome, payments, amount_minor, attempts)
      select merchant_id, day, currency, category, outcome,
             sum(sign), sum(sign * amount_minor), sum(sign * attempts)
      from moved
      group by 1, 2, 3, 4, 5
      having sum(sign) <> 0 or sum(sign * amount_minor) <> 0 or sum(sign * attempts) <> 0
      on conflict (merchant_id, day, currency, category, outcome) do update
      set payments = r.payments + excluded.payments,
          amount_minor = r.amount_minor + excluded.amount_minor,
          attempts = r.attempts + excluded.attempts
    ),
    recovered as (
      insert into recovered_rollups as r (merchant_id, hour, currency, payments, amount_minor)
      select merchant_id, recovered_hour, currency, sum(sign), sum(sign * amount_minor)
      from moved where recovered_hour is not null
      group by 1, 2, 3
      having sum(sign) <> 0 or sum(sign * amount_minor) <> 0
      on conflict (merchant_id, hour, currency) do update
      set payments = r.payments + excluded.payments,
          amount_minor = r.amount_minor + excluded.amount_minor
    ),
    planned as (
      insert into planned_rollups as r (merchant_id, hour, category, attempts)
      select merchant_id, due_hour, category, sum(sign)
      from moved where due_hour is not null
      group by 1, 2, 3 having sum(sign) <> 0
      on conflict (merchant_id, hour, category) do update
      set attempts = r.attempts + excluded.attempts
    ),
    unmarked as (
      delete from rolled_up_payments r using changed c
      where not ${isCounted('c')} and r.merchant_id = c.merchant_id and r.invoice_id = c.invoice_id
    ),
    marked as (
      insert into rolled_up_payments (merchant_id, invoice_id, day, currency, category, outcome,
        amount_minor, attempts, recovered_hour, due_hour)
      select merchant_id, invoice_id, day, currency, category, outcome,
             amount_minor, attempts, recovered_hour, due_hour
      from now
      on conflict (merchant_id, invoice_id) do update
      set day = excluded.day, currency = excluded.currency, category = excluded.category,
          outcome = excluded.outcome, amount_minor = excluded.amount_minor,
          attempts = excluded.attempts, recovered_hour = excluded.recovered_hour,
          due_hour = excluded.due_hour
    )
    select updated_at::text as at, merchant_id, invoice_id, (select count(*)::int from changed) as counted
    from changed
    order by updated_at desc, merchant_id desc, invoice_id desc
    limit 1`,
};

/** How many were counted and where the last of them stands; undefined when none was left. */
export async function countPayments(
  tx: Queryable,
  input: { readonly after: ChangeCursor; readonly limit: number },
): Promise<CountedStep | undefined> {
  const { at, merchantId, id } = input.after;
  const [row] = await tx.query<{
    at: string;
    merchant_id: string;
    invoice_id: string;
    counted: number;
  }>(count, [at, merchantId, id, input.limit]);
  if (row === undefined) return undefined;
  const last = { at: row.at, merchantId: row.merchant_id, id: row.invoice_id };
  return { counted: row.counted, last };
}
