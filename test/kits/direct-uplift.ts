import type pg from 'pg';
import { armOf } from '../../src/store/reports/assignment.ts';

/** One payment as it is reckoned from the stored rows themselves, whatever was counted of it. */
export interface DirectPayment {
  readonly merchant_id: string;
  readonly failed_at: Date;
  readonly week: string;
  readonly currency: string;
  readonly arm: string;
  readonly grp: number;
  readonly decline_class: string;
  readonly method: string;
  readonly amount_minor: number;
  readonly tries: number;
  readonly is_open: boolean;
  readonly is_paid: boolean;
  readonly is_recovered: boolean;
  readonly won_minor: number | null;
  readonly won_after_ms: number | null;
  readonly disputed_minor: number;
  readonly fees_micros: number;
  readonly has_other_fees: boolean;
  /** Of its tries that ended, the arm of each one's own decision and whether it succeeded. */
  readonly tried: readonly { readonly arm: string | null; readonly won: boolean }[];
}

/** All of them, by one statement over all tables: what the kept sums have to be equal to. */
export async function directUplift(pool: pg.Pool): Promise<readonly DirectPayment[]> {
  const { rows } = await pool.query<DirectPayment>(`
    with disputed as (
      select o.merchant_id, o.invoice_id,
             least(max(o.amount_minor),
                   sum(case when d.currency = o.currency then d.amount_minor
                            else o.amount_minor end)) as minor
      from disputes d
      cross join lateral (select distinct id from unnest(d.payment_ids) as i (id)) named
      join psp_transactions o
        on o.merchant_id = d.merchant_id and o.psp = d.psp
          and o.psp_transaction_id = named.id and o.state = 'succeeded'
      where d.stage <> 'inquiry'
        and d.status in ('needs_response', 'under_review', 'lost', 'accepted', 'expired',
                         'prevented')
      group by o.merchant_id, o.invoice_id
    ),
    fees as (
      select c.merchant_id, c.invoice_id,
             coalesce(sum(f.amount_micros) filter (where f.currency = c.currency), 0) as micros,
             bool_or(f.currency <> c.currency) as is_other
      from network_fees f
      join card_histories c using (merchant_id, charge_ref)
      where f.kind = 'expected' and c.origin = 'own'
      group by c.merchant_id, c.invoice_id
    )
    select p.merchant_id, p.failed_at,
           to_char(date_trunc('week', p.failed_at at time zone 'UTC'), 'YYYY-MM-DD') as week,
           p.currency, ${armOf('p')} as arm,
           (hashtextextended(p.merchant_id || '/' || p.customer_id, 0) & 63)::int as grp,
           coalesce(p.first_decline ->> 'category', 'unknown') as decline_class,
           coalesce(lower(m.scheme), 'unknown') || ' ' || coalesce(lower(m.funding_source), 'unknown')
             as method,
           p.amount_minor::float8 as amount_minor, p.attempt_count as tries,
           p.state in ('scheduled', 'attempting') as is_open,
           p.state = 'stopped' and p.stop_reason = 'recovered_elsewhere' as is_paid,
           p.state = 'recovered' as is_recovered, won.amount_minor::float8 as won_minor,
           (extract(epoch from won.ended_at - p.failed_at) * 1000)::float8 as won_after_ms,
           coalesce(d.minor, 0)::float8 as disputed_minor,
           coalesce(own.micros, 0)::float8 as fees_micros,
           coalesce(own.is_other, false) as has_other_fees,
           (select coalesce(json_agg(json_build_object('arm', a.decision ->> 'arm',
                                                       'won', a.state = 'succeeded')), '[]')
            from recorded_attempts a
            where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
              and a.state in ('succeeded', 'declined')) as tried
    from payments p
    left join payment_methods m
      on m.merchant_id = p.merchant_id and m.payment_method_id = p.payment_method_ids[1]
    left join recorded_attempts won
      on won.merchant_id = p.merchant_id and won.invoice_id = p.invoice_id
        and won.state = 'succeeded'
    left join disputed d on d.merchant_id = p.merchant_id and d.invoice_id = p.invoice_id
    left join fees own on own.merchant_id = p.merchant_id and own.invoice_id = p.invoice_id`);
  return rows;
}
