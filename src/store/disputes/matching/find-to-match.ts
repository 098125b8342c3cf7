import type { DisputeRecord, MatchStore } from '../../../disputes/dispute-ports.ts';
import type { Queryable, Statement } from '../../database.ts';
import { unlessMoved } from '../../moving/unless-moved.ts';
import { type DisputeRow, disputeColumns, toRecord } from '../dispute-rows.ts';

/**
 * An analytics record is durable a moment after its time, and a dispute may have been looked at in
 * between: what came a minute before is looked at once more.
 */
const since = `d.matched_at - interval '1 minute'`;

function newAnalyticsRecord(condition: string): string {
  return `exists (
        select from analytics a
        where a.merchant_id = d.merchant_id and ${condition} and a.captured_at >= ${since}
        offset 0)`;
}

/**
 * The condition of the index disputes_to_look_at, word for word. The last ones have their match; the payment that tells
 * their card may come yet, and until it does nothing keeps that card from being charged.
 */
const open = `(match_state <> 'matched'
      or match_score < 100 and matched_by = 'rule' and status in ('needs_response', 'under_review')
      or blocks_retries and payment_method_id is null and card_fingerprint is null)`;

/**
 * Each branch looks into one index. The e-mail address and the PSP's customer are not among them:
 * alone they find the checkouts of a customer who goes on buying, again and again; the long round
 * has them.
 */
const find: Statement = {
  name: 'find_disputes_to_match',
  text: `
    select ${disputeColumns.map((name) => `d.${name}`).join(', ')} from disputes d
    where ${open} and (matched_at is null or matched_at < $1) and opened_at > $3
      ${unlessMoved('d')}
      and (matched_at is null or matched_at < $2
        or ${newAnalyticsRecord('a.charge_id = any (d.payment_ids)')}
        or ${newAnalyticsRecord('a.transaction_id = any (d.payment_ids || d.network_transaction_id)')}
        or ${newAnalyticsRecord('a.network_transaction_id = d.network_transaction_id')}
        or ${newAnalyticsRecord('a.invoice_id = any (array[d.invoice_id, d.merchant_reference])')}
        or ${newAnalyticsRecord('a.subscription_id = d.subscription_id')}
        or exists (
          select from transactions t
          where t.merchant_id = d.merchant_id and t.psp_transaction_id = any (d.payment_ids)
            and t.success and t.received_at >= ${since}
          offset 0))
    order by matched_at nulls first, d.merchant_id, d.dispute_id
    limit $4`,
};

/** Disputes that may have a better match by now, or whose card may be known. */
export async function findToMatch(
  db: Queryable,
  { at, lookedBefore, openedAfter, limit }: Parameters<MatchStore['findToMatch']>[0],
): Promise<readonly DisputeRecord[]> {
  const rows = await db.query<DisputeRow>(find, [at, lookedBefore, openedAfter, limit]);
  return rows.map(toRecord);
}
