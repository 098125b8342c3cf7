import type { DisputeOutcomes, DisputeOutcomesQuery } from '../../../disputes/report-ports.ts';
import type { ReasonFamily } from '../../../domain/disputes/normalise/reason-codes.ts';
import { present } from '../../../domain/present.ts';
import type { Queryable, Statement } from '../../database.ts';
import { openStatuses } from '../../disputes/status-lists.ts';

/**
 * Each dispute by where it stands now, so one that was won and came back is open. An inquiry is counted once
 * it has become more than that; a warning has no outcome.
 */
const count: Statement = {
  name: 'count_dispute_outcomes',
  text: `
    select merchant_id, network, reason_family, reason_code, count(*)::int as disputes,
           count(*) filter (where status in ${openStatuses})::int as open,
           count(*) filter (where status = 'won')::int as won,
           count(*) filter (where status = 'lost')::int as lost,
           count(*) filter (where status = 'accepted')::int as accepted,
           count(*) filter (where status = 'expired')::int as expired,
           count(*) filter (where status in ('prevented', 'closed'))::int as withdrawn
    from disputes
    where kind = 'dispute' and stage <> 'inquiry'
      and ($1::text[] is null or merchant_id = any($1))
      and opened_at >= coalesce($2::timestamptz, '-infinity')
      and opened_at < coalesce($3::timestamptz, 'infinity')
    group by merchant_id, network, reason_family, reason_code
    order by merchant_id, count(*) desc, network, reason_code`,
};

interface CountRow {
  readonly merchant_id: string;
  readonly network: string | null;
  readonly reason_family: ReasonFamily | null;
  readonly reason_code: string | null;
  readonly disputes: number;
  readonly open: number;
  readonly won: number;
  readonly lost: number;
  readonly accepted: number;
  readonly expired: number;
  readonly withdrawn: number;
}

/** How disputes ended, by network and reason; the most frequent first within a merchant. */
export async function countDisputeOutcomes(
  db: Queryable,
  { merchantIds, from, until }: DisputeOutcomesQuery,
): Promise<readonly DisputeOutcomes[]> {
  const rows = await db.query<CountRow>(count, [merchantIds, from, until]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    ...present({
      network: row.network ?? undefined,
      reasonFamily: row.reason_family ?? undefined,
      reasonCode: row.reason_code ?? undefined,
    }),
    disputes: row.disputes,
    open: row.open,
    won: row.won,
    lost: row.lost,
    accepted: row.accepted,
    expired: row.expired,
    withdrawn: row.withdrawn,
  }));
}
