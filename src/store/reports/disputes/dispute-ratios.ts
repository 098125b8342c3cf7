import type { CountMonth, MonthlyCounts } from '../../../disputes/report-ports.ts';
import type { NetworkCounts } from '../../../domain/disputes/monitoring/judge-month.ts';
import { disputeNetworkOf } from '../../../domain/disputes/normalise/dispute-network.ts';
import { present } from '../../../domain/present.ts';
import type { Queryable, Statement } from '../../database.ts';
import { settledBySchemes } from '../../rollups/count-settled.ts';

/** Counted now: of a month that no sums are kept of. */
const settled: Statement = {
  name: 'count_settled_by_scheme',
  plans: 'anew',
  text: `select merchant_id, nullif(scheme, '') as scheme, month::text, charges from (${settledBySchemes}) s`,
};

/**
 * As they were counted last, where that was in the month `$3`: sums are kept of it and of the one before, `$2`. One
 * row without a merchant where there are none.
 */
const kept: Statement = {
  name: 'read_settled_charges',
  text: `
    select p.through_at, s.merchant_id, nullif(s.scheme, '') as scheme, s.month::text, s.charges
    from rollup_progress p
    left join settled_charges s
      on s.month in ($2, $3) and ($1::text[] is null or s.merchant_id = any($1))
    where p.name = 'settled_charges' and p.through_at >= $3::date::timestamp at time zone 'UTC'
      and p.through_at < $4`,
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
  /** Its first day. */
  readonly month: string;
  readonly charges: number;
}

/** The last four are null where nothing was kept of these merchants. */
interface KeptRow {
  readonly through_at: Date;
  readonly merchant_id: string | null;
  readonly scheme: string | null;
  readonly month: string | null;
  readonly charges: number | null;
}

interface DisputedRow {
  readonly merchant_id: string;
  readonly network: string | null;
  readonly fraud_reports: number;
  readonly disputes: number;
}

const nothing: NetworkCounts = { settled: 0, settledBefore: 0, fraudReports: 0, disputes: 0 };

/**
 * What the networks' programmes count, as far as Recoup was told of it. Charges of the present month and the one
 * before are those of the last count (`countSettled`), at `asOf`; without it they were counted now.
 */
export async function countMonth(
  db: Queryable,
  input: CountMonth,
): Promise<{ readonly months: readonly MonthlyCounts[]; readonly asOf?: Date }> {
  const { merchantIds, from, until } = input;
  const [paid, told] = await Promise.all([
    readSettled(db, input),
    db.query<DisputedRow>(disputed, [merchantIds, from, until]),
  ]);
  const counts = new Map<string, MonthlyCounts>();
  for (const row of paid.rows) {
    const isBefore = row.month !== dayOf(from);
    const more = isBefore ? { settledBefore: row.charges } : { settled: row.charges };
    add(counts, row.merchant_id, row.scheme, { ...nothing, ...more });
  }
  for (const row of told) {
    const { fraud_reports: fraudReports, disputes } = row;
    add(counts, row.merchant_id, row.network, { ...nothing, fraudReports, disputes });
  }
  const months = [...counts.values()].toSorted((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
  return { months, ...present({ asOf: paid.asOf }) };
}

async function readSettled(
  db: Queryable,
  { merchantIds, monthBefore, from, until }: CountMonth,
): Promise<{ readonly rows: readonly SettledRow[]; readonly asOf: Date | undefined }> {
  const found = await db.query<KeptRow>(kept, [
    merchantIds,
    dayOf(monthBefore),
    dayOf(from),
    until,
  ]);
  const asOf = found[0]?.through_at;
  if (asOf === undefined) {
    return { rows: await db.query<SettledRow>(settled, [merchantIds, monthBefore, until]), asOf };
  }
  const rows = found.flatMap(({ merchant_id, scheme, month, charges }) =>
    merchant_id === null || month === null || charges === null
      ? []
      : [{ merchant_id, scheme, month, charges }],
  );
  return { rows, asOf };
}

function dayOf(month: Date): string {
  return month.toISOString().slice(0, 10);
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
