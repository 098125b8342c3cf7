import type { NetRecovery, NetRecoveryQuery } from '../../disputes/report-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { lostStatuses, openOrLostStatuses } from '../disputes/status-lists.ts';

/**
 * Each charge of ours that succeeded, with what its disputes hold of it: at most the charge itself,
 * however many they are, and what is lost before what is open. A dispute in another currency, or without
 * an amount, is taken for one over the whole charge. Inquiries and warnings move no money.
 */
const sum: Statement = {
  name: 'sum_net_recovery',
  text: `
    with charge as (
      select o.merchant_id, o.currency, o.amount_minor, o.psp, o.psp_transaction_id,
             o.idempotency_key
      from psp_transactions o
      where o.state = 'succeeded' and ($1::text[] is null or o.merchant_id = any($1))
        and o.settled_at >= coalesce($2::timestamptz, '-infinity')
        and o.settled_at < coalesce($3::timestamptz, 'infinity')
    ),
    taken as (
      select c.merchant_id, c.currency, c.amount_minor,
             least(c.amount_minor, coalesce(sum(s.amount_minor) filter (where s.is_lost), 0))
               as lost_minor,
             least(c.amount_minor, coalesce(sum(s.amount_minor), 0)) as disputed_minor
      from charge c
      left join lateral (
        select least(c.amount_minor,
                     case when d.currency = c.currency then d.amount_minor else c.amount_minor end
               ) as amount_minor,
               d.status in ${lostStatuses} as is_lost
        from disputes d
        where d.merchant_id = c.merchant_id and d.psp = c.psp
          and d.payment_ids && array[c.psp_transaction_id]
          and d.stage <> 'inquiry'
          and d.status in ${openOrLostStatuses}
      ) s on true
      group by c.merchant_id, c.currency, c.amount_minor, c.psp_transaction_id, c.idempotency_key
    )
    select merchant_id, currency,
           count(*)::int as recovered_count, sum(amount_minor)::bigint as recovered_minor,
           count(*) filter (where disputed_minor > lost_minor)::int as open_count,
           sum(disputed_minor - lost_minor)::bigint as open_minor,
           count(*) filter (where lost_minor > 0)::int as lost_count,
           sum(lost_minor)::bigint as lost_minor
    from taken
    group by merchant_id, currency
    order by merchant_id, currency`,
};

interface SumRow {
  readonly merchant_id: string;
  readonly currency: string;
  readonly recovered_count: number;
  readonly recovered_minor: number;
  readonly open_count: number;
  readonly open_minor: number;
  readonly lost_count: number;
  readonly lost_minor: number;
}

/** What Recoup recovered, and what disputes took of it since. */
export async function sumNetRecovery(
  db: Queryable,
  { merchantIds, from, until }: NetRecoveryQuery,
): Promise<readonly NetRecovery[]> {
  const rows = await db.query<SumRow>(sum, [merchantIds, from, until]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    currency: row.currency,
    recoveredCount: row.recovered_count,
    recoveredMinor: row.recovered_minor,
    openCount: row.open_count,
    openMinor: row.open_minor,
    lostCount: row.lost_count,
    lostMinor: row.lost_minor,
  }));
}
