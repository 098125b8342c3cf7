import type { CountMonth, MonthlyCounts } from '../../../disputes/report-ports.ts';
import type { NetworkCounts } from '../../../domain/disputes/monitoring/judge-month.ts';
import { disputeNetworkOf } from '../../../domain/disputes/normalise/dispute-network.ts';
import type { Queryable, Statement } from '../../database.ts';

/**
 * Charges that succeeded, reported and our own, by the scheme of their cards. A charge of ours that was
 * reported too counts once. $2 the month before, $3 the month, $4 its end.
 */
const settled: Statement = {
  name: 'count_settled_by_scheme',
  plans: 'anew',
  text: `
    with paid as (
      select t.merchant_id, t.payment_method_id, t.occurred_at as at
      from transactions t
      where t.success and t.occurred_at >= $2 and t.occurred_at < $4
        and ($1::text[] is null or t.merchant_id = any($1))
      union all
      select o.merchant_id, o.payment_method_id, o.settled_at
      from psp_transactions o
      where o.state = 'succeeded' and o.settled_at >= $2 and o.settled_at < $4
        and ($1::text[] is null or o.merchant_id = any($1))
        and not exists (
          select from transactions t
          where t.merchant_id = o.merchant_id and t.psp_transaction_id = o.psp_transaction_id
            and t.success)
    )
    select p.merchant_id, m.scheme,
           count(*) filter (where p.at >= $3)::int as settled,
           count(*) filter (where p.at < $3)::int as settled_before
    from paid p
    left join payment_methods m
      on m.merchant_id = p.merchant_id and m.payment_method_id = p.payment_method_id
    group by p.merchant_id, m.scheme`,
};

/** No network takes a dispute of a charge that is older. */
const longest = `interval '540 days'`;

/** A dispute counts in the month in which its chargeback began: an inquiry before it is none. */
const disputed: Statement = {
  name: 'count_disputes_by_network',
  text: `
    select d.merchant_id, d.network,
           count(*) filter (
             where d.kind = 'fraud_warning' and d.opened_at >= $2)::int as fraud_reports,
           count(*) filter (where c.at >= $2 and c.at < $3)::int as disputes
    from disputes d
    left join lateral (
      select min(occurred_at) as at from dispute_changes c
      where c.merchant_id = d.merchant_id and c.dispute_id = d.dispute_id
        and c.stage in ('chargeback', 'pre_arbitration', 'arbitration')
    ) c on true
    where d.opened_at >= $2::timestamptz - ${longest} and d.opened_at < $3
      and ($1::text[] is null or d.merchant_id = any($1))
    group by d.merchant_id, d.network`,
};

interface SettledRow {
  readonly merchant_id: string;
  readonly scheme: string | null;
  readonly settled: number;
  readonly settled_before: number;
}

interface DisputedRow {
  readonly merchant_id: string;
  readonly network: string | null;
  readonly fraud_reports: number;
  readonly disputes: number;
}

const nothing: NetworkCounts = { settled: 0, settledBefore: 0, fraudReports: 0, disputes: 0 };

/** What the networks' programmes count, as far as Recoup was told of it. */
export async function countMonth(
  db: Queryable,
  input: CountMonth,
): Promise<readonly MonthlyCounts[]> {
  const { merchantIds, monthBefore, from, until } = input;
  const [paid, told] = await Promise.all([
    db.query<SettledRow>(settled, [merchantIds, monthBefore, from, until]),
    db.query<DisputedRow>(disputed, [merchantIds, from, until]),
  ]);
  const counts = new Map<string, MonthlyCounts>();
  for (const row of paid) {
    const { settled: count, settled_before: settledBefore } = row;
    add(counts, row.merchant_id, row.scheme, { ...nothing, settled: count, settledBefore });
  }
  for (const row of told) {
    const { fraud_reports: fraudReports, disputes } = row;
    add(counts, row.merchant_id, row.network, { ...nothing, fraudReports, disputes });
  }
  return [...counts.values()].toSorted((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
}

function add(
  counts: Map<string, MonthlyCounts>,
  merchantId: string,
  scheme: string | null,
  more: NetworkCounts,
): void {
  const known = counts.get(merchantId) ?? {
    merchantId,
    visa: nothing,
    mastercard: nothing,
    unknownDisputes: 0,
    unknownSettled: 0,
  };
  counts.set(merchantId, added(known, scheme, more));
}

function added(known: MonthlyCounts, scheme: string | null, more: NetworkCounts): MonthlyCounts {
  const network = scheme === null ? undefined : disputeNetworkOf(scheme);
  switch (network) {
    case 'visa':
      return { ...known, visa: sum(known.visa, more) };
    case 'mastercard':
      return { ...known, mastercard: sum(known.mastercard, more) };
    case undefined:
      return {
        ...known,
        unknownDisputes: known.unknownDisputes + more.disputes + more.fraudReports,
        unknownSettled: known.unknownSettled + more.settled,
      };
    default:
      return known;
  }
}

function sum(one: NetworkCounts, other: NetworkCounts): NetworkCounts {
  return {
    settled: one.settled + other.settled,
    settledBefore: one.settledBefore + other.settledBefore,
    fraudReports: one.fraudReports + other.fraudReports,
    disputes: one.disputes + other.disputes,
  };
}
