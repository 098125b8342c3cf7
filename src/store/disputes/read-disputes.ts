import type {
  DisputeDetail,
  DisputeMatch,
  DisputeView,
  ListDisputes,
} from '../../disputes/dispute-ports.ts';
import { courseOf } from '../../domain/disputes/course-of.ts';
import type { MatchReason } from '../../domain/disputes/matching/match-score.ts';
import type { Page } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { decodeCursor, pageOf } from '../page-cursor.ts';
import { type DisputeViewRow, disputeColumns, stateOf, toView } from './dispute-rows.ts';

const columns = `${disputeColumns.join(', ')}, match_state, matched_at,
  matched_by, blocks_retries`;

const show: Statement = {
  name: 'show_dispute',
  text: `select ${columns} from disputes where merchant_id = $1 and dispute_id = $2`,
};

const changes: Statement = {
  name: 'list_dispute_changes',
  text: `
    select stage, status, occurred_at from dispute_changes
    where merchant_id = $1 and dispute_id = $2
    order by occurred_at, recorded_at, state`,
};

const matches: Statement = {
  name: 'list_dispute_matches',
  text: `
    select analytics_id, score, reasons, is_inherited from dispute_matches
    where merchant_id = $1 and dispute_id = $2 order by rank`,
};

interface ChangeRow extends Pick<DisputeViewRow, 'stage' | 'status'> {
  readonly occurred_at: Date;
}

interface MatchRow {
  readonly analytics_id: string;
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly is_inherited: boolean;
}

export async function showDispute(
  db: Queryable,
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<DisputeDetail | undefined> {
  const key = [merchantId, disputeId];
  const [row] = await db.query<DisputeViewRow>(show, key);
  if (row === undefined) return undefined;
  const changed = await db.query<ChangeRow>(changes, key);
  const matched = await db.query<MatchRow>(matches, key);
  return {
    ...toView(row),
    changes: courseOf(changed.map((one) => ({ state: stateOf(one), occurredAt: one.occurred_at }))),
    matches: matched.map(toMatch),
  };
}

function toMatch(row: MatchRow): DisputeMatch {
  return {
    analyticsId: row.analytics_id,
    score: row.score,
    reasons: row.reasons,
    isInherited: row.is_inherited,
  };
}

const filters = `
      and ($2::text is null or status = $2) and ($3::text is null or stage = $3)
      and ($4::timestamptz is null or (respond_by < $4 and status = 'needs_response'))`;

/** The newest first. */
const ofMerchant: Statement = {
  name: 'list_disputes',
  text: `
    select ${columns} from disputes
    where merchant_id = $1 ${filters}
      and opened_at <= coalesce($5, 'infinity'::timestamptz)
      and ($5::timestamptz is null or (opened_at, dispute_id) < ($5, $6))
    order by opened_at desc, dispute_id desc
    limit $7`,
};

/** The operator's own list crosses merchants. */
const ofSeveral: Statement = {
  name: 'list_disputes_of_several',
  text: ofMerchant.text.replace(
    'merchant_id = $1 ',
    '($1::text[] is null or merchant_id = any($1)) ',
  ),
};

/** After all dates that cursors may hold: what nobody told a date of comes last. */
const noDate = '9999-12-31T23:59:59.999Z';
/** As the partial index disputes_awaiting has it. */
const deadline = `coalesce(respond_by, '${noDate}')`;

/** Those that await an answer, the soonest deadline first. */
const byDeadline: Statement = {
  name: 'list_disputes_by_deadline',
  text: `
    select ${columns} from disputes
    where ($1::text[] is null or merchant_id = any($1))
      and status = 'needs_response'
      and ($2::timestamptz is null or respond_by < $2)
      and ${deadline} >= coalesce($7, '-infinity'::timestamptz)
      and ($3::timestamptz is null or (${deadline}, merchant_id, dispute_id) > ($3, $4, $5))
    order by ${deadline}, merchant_id, dispute_id
    limit $6`,
};

/** Of the operator's lists: whose work it is, by `$8`, an operator's id or `none`. Merchants cannot ask. */
const ofAssignee = (statement: Statement): Statement => ({
  name: `${statement.name}_assigned`,
  text: statement.text.replace(
    /\n {4}order by/,
    `
      and ($8 = 'none') <> exists (
        select from dispute_assignments a
        join operators o on o.operator_id = a.operator_id and o.removed_at is null
        where a.merchant_id = disputes.merchant_id and a.dispute_id = disputes.dispute_id
          and ($8 = 'none' or a.operator_id = $8))
    order by`,
  ),
});

const ofMerchantAssigned = ofAssignee(ofMerchant);
const ofSeveralAssigned = ofAssignee(ofSeveral);
const byDeadlineAssigned = ofAssignee(byDeadline);

async function listByDeadline(db: Queryable, input: ListDisputes): Promise<Page<DisputeView>> {
  const { merchantIds, dueBefore, dueFrom, assignedTo, limit } = input;
  const after = decodeCursor(input.cursor, 2) ?? [];
  const values = [merchantIds, dueBefore, after[0], after[1], after[2], limit + 1, dueFrom];
  const rows = await db.query<DisputeViewRow>(
    assignedTo === undefined ? byDeadline : byDeadlineAssigned,
    assignedTo === undefined ? values : [...values, assignedTo],
  );
  return pageOf(rows, limit, {
    item: toView,
    keys: (row) => [row.respond_by?.toISOString() ?? noDate, row.merchant_id, row.dispute_id],
  });
}

/** @throws AppError invalid_request for a cursor of another list */
export async function listDisputes(db: Queryable, input: ListDisputes): Promise<Page<DisputeView>> {
  if (input.order === 'deadline') return listByDeadline(db, input);
  const { merchantIds, status, stage, dueBefore, assignedTo, limit } = input;
  const [only] = merchantIds?.length === 1 ? merchantIds : [];
  const after = decodeCursor(input.cursor, 1);
  const whose = only ?? merchantIds;
  const values = [whose, status, stage, dueBefore, after?.[0], after?.[1], limit + 1];
  const [free, given] =
    only === undefined ? [ofSeveral, ofSeveralAssigned] : [ofMerchant, ofMerchantAssigned];
  const rows = await db.query<DisputeViewRow>(
    assignedTo === undefined ? free : given,
    assignedTo === undefined ? values : [...values, assignedTo],
  );
  return pageOf(rows, limit, {
    item: toView,
    keys: (row) => [row.opened_at.toISOString(), row.dispute_id],
  });
}
