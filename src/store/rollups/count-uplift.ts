import type { Queryable, Statement } from '../database.ts';
import type { ChangeCursor, CountedStep } from './change-cursor.ts';
import { armsOf, upliftColumns, upliftFacts, weekOf } from './uplift-facts.ts';

const named = (columns: string, alias: string): string =>
  columns.replaceAll(/\w+/g, (column) => `${alias}.${column}`);

/**
 * Moves the sums of the payments that `touched` names: each takes what changed, the payment as it is now
 * less what was counted of it before, and nothing of one that was joined to another payment of its debt.
 */
const move = `
  before as materialized (
    select ${named(upliftColumns, 'b')}
    from touched t
    cross join lateral (
      select b.* from uplift_payments b
      where b.merchant_id = t.merchant_id and b.invoice_id = t.invoice_id
      offset 0
    ) b
  ),
  now as materialized (${upliftFacts('touched')}),
  changed as materialized (select * from now except select * from before),
  gone as materialized (
    select b.* from before b
    where not exists (
      select from now n where n.merchant_id = b.merchant_id and n.invoice_id = b.invoice_id)
  ),
  moved as materialized (
    select 1 as sign, ${weekOf('c.failed_at')} as week, c.* from changed c
    union all
    select -1, ${weekOf('b.failed_at')}, b.*
    from before b join changed c using (merchant_id, invoice_id)
    union all
    select -1, ${weekOf('g.failed_at')}, g.* from gone g
  ),
  sums as (
    insert into uplift_sums as s
      (merchant_id, week, currency, arm, payer_group, decline_class, method, payments, failed_minor,
       recovered, recovered_minor, net_minor, paid_otherwise, tries, won_after_ms, fees_micros, open,
       other_fees)
    select merchant_id, week, currency, arm, payer_group, decline_class, method, sum(sign),
           sum(sign * amount_minor), sum(sign * (won_minor is not null)::int),
           sum(sign * coalesce(won_minor, 0)), sum(sign * net_minor), sum(sign * is_paid::int),
           sum(sign * tries), sum(sign * coalesce(won_after_ms, 0)), sum(sign * fees_micros),
           sum(sign * is_open::int), sum(sign * has_other_fees::int)
    from moved
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (merchant_id, week, currency, arm, payer_group, decline_class, method) do update
    set payments = s.payments + excluded.payments,
        failed_minor = s.failed_minor + excluded.failed_minor,
        recovered = s.recovered + excluded.recovered,
        recovered_minor = s.recovered_minor + excluded.recovered_minor,
        net_minor = s.net_minor + excluded.net_minor,
        paid_otherwise = s.paid_otherwise + excluded.paid_otherwise,
        tries = s.tries + excluded.tries, won_after_ms = s.won_after_ms + excluded.won_after_ms,
        fees_micros = s.fees_micros + excluded.fees_micros, open = s.open + excluded.open,
        other_fees = s.other_fees + excluded.other_fees
  ),
  arms as (
    insert into experiment_sums as s
      (merchant_id, week, payer_group, arm, payments, recovered, tries, succeeded)
    select m.merchant_id, m.week, m.payer_group, a.arm, sum(m.sign * a.payments),
           sum(m.sign * a.recovered), sum(m.sign * a.tries), sum(m.sign * a.succeeded)
    from moved m
    cross join lateral (${armsOf('m')}) a
    group by 1, 2, 3, 4
    on conflict (merchant_id, week, payer_group, arm) do update
    set payments = s.payments + excluded.payments, recovered = s.recovered + excluded.recovered,
        tries = s.tries + excluded.tries, succeeded = s.succeeded + excluded.succeeded
  ),
  unmarked as (
    delete from uplift_payments u using gone g
    where u.merchant_id = g.merchant_id and u.invoice_id = g.invoice_id
  ),
  marked as (
    insert into uplift_payments as u (${upliftColumns})
    select * from changed
    on conflict (merchant_id, invoice_id) do update
    set (${upliftColumns}) = (${named(upliftColumns, 'excluded')})
  )`;

const after = (columns: readonly string[]): string => `
  updated_at >= $1::timestamptz and (${columns.join(', ')}) > ($1::timestamptz, $2, $3)
  order by ${columns.join(', ')}
  limit $4`;

const step = `
  select updated_at::text as at, merchant_id, id, (select count(*)::int from read) as counted
  from read
  order by updated_at desc, merchant_id desc, id desc
  limit 1`;

/** Counts the next payments in the order of their last change. */
const ofPayments: Statement = {
  name: 'count_uplift_of_payments',
  text: `
    with read as materialized (
      select updated_at, merchant_id, invoice_id as id
      from payments
      where ${after(['updated_at', 'merchant_id', 'invoice_id'])}
    ),
    touched as (select merchant_id, id as invoice_id from read),
    ${move}
    ${step}`,
};

/** Counts again the payments whose charges the next disputes are about, in the order of their last change. */
const ofDisputes: Statement = {
  name: 'count_uplift_of_disputes',
  text: `
    with read as materialized (
      select updated_at, merchant_id, dispute_id as id, psp, payment_ids
      from disputes
      where ${after(['updated_at', 'merchant_id', 'dispute_id'])}
    ),
    touched as materialized (
      select distinct o.merchant_id, o.invoice_id
      from read d
      cross join lateral unnest(d.payment_ids) as named (id)
      cross join lateral (
        select o.merchant_id, o.invoice_id, o.psp, o.state from psp_transactions o
        where o.merchant_id = d.merchant_id and o.psp_transaction_id = named.id
        offset 0
      ) o
      where o.psp = d.psp and o.state = 'succeeded'
    ),
    ${move}
    ${step}`,
};

interface Row {
  readonly at: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly counted: number;
}

/** Counts what payments, or disputes of their charges, that changed next do to the sums of uplift. */
export async function countUplift(
  tx: Queryable,
  input: {
    readonly of: 'payments' | 'disputes';
    readonly after: ChangeCursor;
    readonly limit: number;
  },
): Promise<CountedStep | undefined> {
  const { at, merchantId, id } = input.after;
  const values = [at, merchantId, id, input.limit];
  const [row] = await tx.query<Row>(input.of === 'payments' ? ofPayments : ofDisputes, values);
  if (row === undefined) return undefined;
  return { counted: row.counted, last: { at: row.at, merchantId: row.merchant_id, id: row.id } };
}
