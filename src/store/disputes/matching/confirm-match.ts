import type {
  ConfirmMatch,
  ConfirmOutcome,
  DisputeMatch,
} from '../../../disputes/dispute-ports.ts';
import { type MatchReason, matchWeights } from '../../../domain/disputes/matching/match-score.ts';
import { appendAudit } from '../../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../../database.ts';

const lockDispute: Statement = {
  name: 'lock_dispute_to_confirm',
  text: 'select 1 from disputes where merchant_id = $1 and dispute_id = $2 for update',
};

/**
 * An erased analytics record is none. Locked, so that it is not erased before it is held, with those that the dispute was
 * matched with so far, which are let go then: in the order of their ids, as everywhere.
 */
const lockAnalytics: Statement = {
  name: 'lock_analytics_to_confirm',
  text: `
    select a.analytics_id, m.reasons, m.is_inherited
    from analytics a
    left join dispute_matches m on m.merchant_id = a.merchant_id and m.dispute_id = $2
      and m.analytics_id = a.analytics_id
    where a.merchant_id = $1 and a.state <> 'erased' and a.analytics_id in (
      select $3
      union
      select o.analytics_id from dispute_matches o where o.merchant_id = $1 and o.dispute_id = $2)
    order by a.analytics_id
    for update of a`,
};

interface AnalyticsRecordRow {
  readonly analytics_id: string;
  readonly reasons: readonly MatchReason[] | null;
  readonly is_inherited: boolean | null;
}

/**
 * Makes one analytics record the match of a dispute, with a line in the audit log, in one
 * transaction.
 */
export async function confirmMatch(
  db: Database,
  input: ConfirmMatch & { readonly at: Date },
  replace: (tx: Queryable, matches: readonly DisputeMatch[]) => Promise<void>,
): Promise<ConfirmOutcome> {
  const { merchantId, disputeId, analyticsId, actor, at } = input;
  return db.transaction(async (tx) => {
    const [dispute] = await tx.query(lockDispute, [merchantId, disputeId]);
    if (dispute === undefined) return 'no_dispute';
    const values = [merchantId, disputeId, analyticsId];
    const locked = await tx.query<AnalyticsRecordRow>(lockAnalytics, values);
    const found = locked.find((row) => row.analytics_id === analyticsId);
    if (found === undefined) return 'no_analytics';
    const shared = (found.reasons ?? []).filter((reason) => reason !== 'person');
    const match: DisputeMatch = {
      analyticsId,
      score: matchWeights.person,
      reasons: ['person', ...shared],
      isInherited: found.is_inherited ?? false,
    };
    await replace(tx, [match]);
    const detail = { dispute_id: disputeId, analytics_id: analyticsId };
    await appendAudit(tx, merchantId, { action: 'dispute.matched', detail, at }, actor);
    return 'confirmed';
  });
}
