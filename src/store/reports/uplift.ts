import type {
  UpliftArm,
  UpliftDimension,
  UpliftGroup,
  UpliftQuery,
} from '../../recovery/uplift.ts';
import type { Queryable, Statement } from '../database.ts';
import { armOf } from './assignment.ts';

/**
 * Groups of payers that are summed, and later resampled: a power of two, enough for steady intervals
 * and few enough for a report over millions of payments to be a few thousand rows.
 */
const groups = 256;

/**
 * Payments by arm and part, summed by groups of payers. What disputes hold of a charge, open ones too,
 * is taken off as `sum_net_recovery` has it; a card is told by the method that failed first. `offset 0`
 * takes what is needed out of a payment's documents before the joins: they would carry those along
 * through files of their own, a gigabyte for a million payments.
 */
const sum: Statement = {
  name: 'sum_uplift',
  text: `
    with disputed as materialized (
      select o.merchant_id, o.invoice_id,
             least(max(o.amount_minor),
                   sum(case when d.currency = o.currency then d.amount_minor
                            else o.amount_minor end)) as minor
      from disputes d
      cross join lateral (select distinct id from unnest(d.payment_ids) as i (id)) named
      join psp_transactions o
        on o.merchant_id = d.merchant_id and o.psp = d.psp
          and o.psp_transaction_id = named.id and o.state = 'succeeded'
      where ($1::text is null or d.merchant_id = $1) and d.stage <> 'inquiry'
        and d.status in ('needs_response', 'under_review', 'lost', 'accepted', 'expired',
                         'prevented')
      group by o.merchant_id, o.invoice_id
    ),
    fees as materialized (
      select c.merchant_id, c.invoice_id,
             coalesce(sum(f.amount_micros) filter (where f.currency = c.currency), 0) as micros,
             bool_or(f.currency <> c.currency) as is_other
      from network_fees f
      join card_attempts c using (merchant_id, charge_ref)
      where ($1::text is null or f.merchant_id = $1) and f.kind = 'expected' and c.origin = 'own'
      group by c.merchant_id, c.invoice_id
    ),
    failed as (
      select p.merchant_id, p.invoice_id, p.payment_method_ids[1] as method_id, p.failed_at,
             p.currency, ${armOf('p')} as arm,
             hashtextextended(p.merchant_id || '/' || p.customer_id, 0) & ${groups - 1} as grp,
             coalesce(p.first_decline ->> 'category', 'unknown') as decline_class,
             date_trunc('week', p.failed_at at time zone 'UTC')::date as cohort,
             p.amount_minor, p.attempt_count, p.state in ('scheduled', 'attempting') as is_open,
             p.state = 'stopped' and p.stop_reason = 'recovered_elsewhere' as is_paid
      from payments p
      where ($1::text is null or p.merchant_id = $1)
        and p.failed_at >= coalesce($2::timestamptz, '-infinity')
        and p.failed_at < coalesce($3::timestamptz, 'infinity')
      offset 0
    ),
    facts as (
      select p.currency, p.arm, p.grp, p.decline_class,
             coalesce(lower(m.scheme), 'unknown') || ' ' || coalesce(lower(m.funding_source), 'unknown')
               as method,
             p.cohort, p.amount_minor, p.attempt_count, p.is_open, p.is_paid,
             won.amount_minor as won_minor,
             (extract(epoch from won.ended_at - p.failed_at) / 86400)::float8 as days,
             coalesce(d.minor, 0) as disputed_minor,
             coalesce(own.micros, 0) as fees_micros, coalesce(own.is_other, false) as has_other_fees
      from failed p
      left join payment_methods m
        on m.merchant_id = p.merchant_id and m.payment_method_id = p.method_id
      left join attempts won
        on won.merchant_id = p.merchant_id and won.invoice_id = p.invoice_id
          and won.state = 'succeeded'
      left join disputed d on d.merchant_id = p.merchant_id and d.invoice_id = p.invoice_id
      left join fees own
        on own.merchant_id = p.merchant_id and own.invoice_id = p.invoice_id
    ),
    cells as materialized (
      select currency, arm, grp, decline_class, method, cohort,
             count(*) as payments,
             sum(amount_minor) as failed_minor,
             count(won_minor) as recovered,
             coalesce(sum(won_minor), 0) as recovered_minor,
             coalesce(sum(won_minor - least(won_minor, disputed_minor)), 0) as net_minor,
             count(*) filter (where is_paid) as paid_otherwise,
             sum(attempt_count) as tries,
             coalesce(sum(days), 0) as days,
             sum(fees_micros) as fees_micros,
             count(*) filter (where is_open) as open,
             count(*) filter (where has_other_fees) as other_fees
      from facts
      group by currency, arm, grp, decline_class, method, cohort
    )
    select currency, arm, grp::int as "group",
           case when grouping(decline_class) = 0 then 'decline_class'
                when grouping(method) = 0 then 'method'
                when grouping(cohort) = 0 then 'cohort' else 'all' end as dimension,
           coalesce(decline_class, method, to_char(cohort, 'YYYY-MM-DD'), '') as part,
           sum(payments)::int as payments, sum(failed_minor)::bigint as failed_minor,
           sum(recovered)::int as recovered, sum(recovered_minor)::bigint as recovered_minor,
           sum(net_minor)::bigint as net_minor, sum(paid_otherwise)::int as paid_otherwise,
           sum(tries)::int as tries, sum(days)::float8 as days,
           sum(fees_micros)::bigint as fees_micros, sum(open)::int as open,
           sum(other_fees)::int as other_fees
    from cells
    group by grouping sets (
      (currency, arm, grp), (currency, arm, grp, decline_class),
      (currency, arm, grp, method), (currency, arm, grp, cohort))`,
};

interface Row {
  readonly currency: string;
  readonly arm: UpliftArm;
  readonly group: number;
  readonly dimension: UpliftDimension;
  readonly part: string;
  readonly payments: number;
  readonly failed_minor: number;
  readonly recovered: number;
  readonly recovered_minor: number;
  readonly net_minor: number;
  readonly paid_otherwise: number;
  readonly tries: number;
  readonly days: number;
  readonly fees_micros: number;
  readonly open: number;
  readonly other_fees: number;
}

/** What the uplift report is made of. */
export async function sumUplift(
  db: Queryable,
  { merchantId, since, until }: UpliftQuery,
): Promise<readonly UpliftGroup[]> {
  const rows = await db.query<Row>(sum, [merchantId ?? null, since ?? null, until ?? null]);
  return rows.map((row) => ({
    currency: row.currency,
    dimension: row.dimension,
    part: row.part,
    arm: row.arm,
    group: row.group,
    payments: row.payments,
    failedMinor: row.failed_minor,
    recovered: row.recovered,
    recoveredMinor: row.recovered_minor,
    netMinor: row.net_minor,
    paidOtherwise: row.paid_otherwise,
    tries: row.tries,
    daysToRecovery: row.days,
    feesMicros: row.fees_micros,
    open: row.open,
    otherFees: row.other_fees,
  }));
}
