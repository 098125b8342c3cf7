import type { Queryable, Statement } from '../../database.ts';
import { openStatuses } from '../status-lists.ts';

/**
 * An analytics record is held while a dispute that it was matched with is open, or waits for a
 * person to choose between it and others. Weaker candidates are not held: too little says that they
 * are evidence. $3: analytics records that were matched before. They are locked in the order of their ids, as
 * everywhere: two disputes may have several in common.
 */
const hold: Statement = {
  name: 'hold_matched_analytics',
  text: `
    with touched as (
      select m.analytics_id from dispute_matches m where m.merchant_id = $1 and m.dispute_id = $2
      union
      select unnest($3::text[])
    ),
    needed as (
      select t.analytics_id, exists (
        select from dispute_matches m
        join disputes d on d.merchant_id = m.merchant_id and d.dispute_id = m.dispute_id
        where m.merchant_id = $1 and m.analytics_id = t.analytics_id
          and d.match_state in ('matched', 'conflict')
          and d.status in ${openStatuses}) as is_needed
      from touched t
    ),
    changed as (
      select * from (
        select a.analytics_id, n.is_needed
        from needed n
        join analytics a on a.merchant_id = $1 and a.analytics_id = n.analytics_id
        where a.state <> 'erased' and a.legal_hold <> n.is_needed
        order by a.analytics_id
        for update of a
      ) locked offset 0
    )
    update analytics a set legal_hold = c.is_needed
    from changed c
    where a.merchant_id = $1 and a.analytics_id = c.analytics_id`,
};

/** Holds the analytics records of an open dispute, and lets go of those that no open one needs. */
export async function holdAnalytics(
  tx: Queryable,
  dispute: { readonly merchantId: string; readonly disputeId: string },
  matchedBefore: readonly string[] = [],
): Promise<void> {
  await tx.query(hold, [dispute.merchantId, dispute.disputeId, matchedBefore]);
}
