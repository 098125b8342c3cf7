import type { DisputeKey } from '../../../disputes/dispute-ports.ts';
import type {
  Acceptance,
  AcceptanceState,
  AcceptanceStep,
  StageAnswer,
  Submission,
  SubmissionKey,
  SubmissionState,
  SubmissionStep,
  SubmissionStore,
} from '../../../disputes/submission/submission-ports.ts';
import type { DisputeStage } from '../../../domain/disputes/normalise/dispute-state.ts';
import { present } from '../../../domain/present.ts';
import type { Psp } from '../../../domain/psps.ts';
import { appendAudit } from '../../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../../database.ts';
import { unlessMoved } from '../../moving/unless-moved.ts';

const columns = `merchant_id, dispute_id, stage, psp, kind, state, content_hash, reference, reason, fence,
  updated_at, submitted_at`;

const find: Statement = {
  name: 'find_dispute_submission',
  text: `
    select ${columns} from dispute_submissions
    where merchant_id = $1 and dispute_id = $2 and stage = $3`,
};

const latest: Statement = {
  name: 'find_latest_dispute_submission',
  text: `
    select ${columns} from dispute_submissions
    where merchant_id = $1 and dispute_id = $2
    order by updated_at desc
    limit 1`,
};

/** The first step; nothing where another one was first. */
const begin: Statement = {
  name: 'begin_dispute_submission',
  text: `
    insert into dispute_submissions (merchant_id, dispute_id, stage, psp, state, content_hash,
      reference, reason, fence, created_at, updated_at, submitted_at, next_look_up_at, kind)
    select $1, $2, $3, $4, $5::text, $6, $7, $8, $9::integer + 1, $10::timestamptz, $10,
      case when $5 = 'submitted' then $10 end, $11::timestamptz, $12
    where $9 = 0
    on conflict do nothing
    returning ${columns}`,
};

/**
 * One that was sent on or accepted is over: no step leads away from it, but the first of another answer from evidence
 * that was sent on.
 */
const advance: Statement = {
  name: 'advance_dispute_submission',
  text: `
    update dispute_submissions
    set state = $5::text, content_hash = $6, reference = $7, reason = $8, fence = fence + 1,
        updated_at = $10::timestamptz, submitted_at = case when $5 = 'submitted' then $10 end,
        look_ups = 0, next_look_up_at = $11::timestamptz, kind = $12
    where merchant_id = $1 and dispute_id = $2 and stage = $3 and psp = $4 and fence = $9
      and (state not in ('submitted', 'accepted') or ($13::boolean and state = 'submitted'))
    returning ${columns}`,
};

const lookUpsDue: Statement = {
  name: 'find_submission_look_ups_due',
  text: `
    select ${columns}, look_ups from dispute_submissions
    where next_look_up_at <= $1 ${unlessMoved('dispute_submissions')}
    order by next_look_up_at, merchant_id, dispute_id
    limit $2`,
};

/** Not its fence: whoever submits meanwhile is not disturbed. */
const putOff: Statement = {
  name: 'put_off_submission_look_up',
  text: `
    update dispute_submissions set look_ups = look_ups + 1, next_look_up_at = $5::timestamptz
    where merchant_id = $1 and dispute_id = $2 and stage = $3 and fence = $4`,
};

/** The PSP tells that the dispute was lost: by decision, where its stage was accepted or may have been. */
const acceptedAt: Statement = {
  name: 'find_accepted_stage',
  text: `
    select from disputes d
    join dispute_submissions s using (merchant_id, dispute_id)
    where d.merchant_id = $1 and d.psp = $2 and d.psp_dispute_id = $3 and s.stage = $4
      and s.kind = 'acceptance' and s.state <> 'failed'`,
};

interface AnswerRow {
  readonly merchant_id: string;
  readonly dispute_id: string;
  readonly stage: DisputeStage;
  readonly psp: Psp;
  readonly kind: StageAnswer['kind'];
  readonly state: SubmissionState | AcceptanceState;
  readonly content_hash: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly fence: number;
  readonly updated_at: Date;
  readonly submitted_at: Date | null;
}

interface DueRow extends AnswerRow {
  readonly look_ups: number;
}

/** A step and its line of the audit log are one transaction. */
export function createSubmissionStore({ db }: { readonly db: Database }): SubmissionStore {
  const first = async (statement: Statement, values: readonly unknown[]) => {
    const [row] = await db.query<AnswerRow>(statement, values);
    return row && toAnswer(row);
  };
  return {
    find: ({ merchantId, disputeId, stage }) => first(find, [merchantId, disputeId, stage]),
    latest: ({ merchantId, disputeId }) => first(latest, [merchantId, disputeId]),
    step: (key, fence, step) =>
      db.transaction(async (tx) => {
        const row = await takeStep(tx, key, { fence, step, kind: 'evidence' });
        return row && toSubmission(row);
      }),
    stepAcceptance: (key, fence, step) =>
      db.transaction(async (tx) => {
        const row = await takeStep(tx, key, { fence, step, kind: 'acceptance' });
        return row && toAcceptance(row);
      }),
    async findLookUpsDue({ at, limit }) {
      const rows = await db.query<DueRow>(lookUpsDue, [at, limit]);
      return rows.map((row) => ({ ...toAnswer(row), lookUps: row.look_ups }));
    },
    async putOffLookUp({ merchantId, disputeId, stage, fence }, nextAt) {
      await db.query(putOff, [merchantId, disputeId, stage, fence, nextAt]);
    },
  };
}

/** Whether a stage of a dispute was accepted through Recoup, or may have been. */
export async function wasAccepted(
  db: Queryable,
  input: DisputeKey & { readonly stage: DisputeStage },
): Promise<boolean> {
  const { merchantId, psp, pspDisputeId, stage } = input;
  const rows = await db.query(acceptedAt, [merchantId, psp, pspDisputeId, stage]);
  return rows.length > 0;
}

const reasonLength = 500;

async function takeStep(
  tx: Queryable,
  key: SubmissionKey & { readonly psp: Psp },
  {
    fence,
    step,
    kind,
  }: {
    readonly fence: number;
    readonly step:
      | (AcceptanceStep & Partial<Pick<SubmissionStep, 'contentHash' | 'reference'>>)
      | SubmissionStep;
    readonly kind: StageAnswer['kind'];
  },
): Promise<AnswerRow | undefined> {
  const { merchantId, disputeId, stage, psp } = key;
  const { state, contentHash, reference, reason, lookUpAt, actor, at, isAnother = false } = step;
  const values = [
    ...[merchantId, disputeId, stage, psp, state, contentHash, reference],
    ...[reason?.slice(0, reasonLength), fence, at, lookUpAt, kind],
  ];
  const [row] = await (fence === 0
    ? tx.query<AnswerRow>(begin, values)
    : tx.query<AnswerRow>(advance, [...values, isAnother]));
  if (row === undefined) return undefined;
  const hash = contentHash === undefined ? {} : { content_hash: contentHash };
  const detail = { dispute_id: disputeId, stage, state, ...hash };
  const action = actionOf(kind, state);
  await appendAudit(tx, merchantId, { action, detail, at }, actor);
  return row;
}

/** `failed` and `unknown` are states of both kinds, and mean two things. */
function actionOf(kind: StageAnswer['kind'], state: SubmissionState | AcceptanceState): string {
  const isShared = state === 'failed' || state === 'unknown';
  return kind === 'acceptance' && isShared ? `dispute.acceptance_${state}` : `dispute.${state}`;
}

function toAnswer(row: AnswerRow): StageAnswer {
  return row.kind === 'evidence' ? toSubmission(row) : toAcceptance(row);
}

function toSubmission(row: AnswerRow): Submission {
  return {
    ...common(row),
    kind: 'evidence',
    state: row.state as SubmissionState,
    contentHash: row.content_hash ?? '',
    ...present({
      reference: row.reference ?? undefined,
      submittedAt: row.submitted_at ?? undefined,
    }),
  };
}

function toAcceptance(row: AnswerRow): Acceptance {
  return { ...common(row), kind: 'acceptance', state: row.state as AcceptanceState };
}

function common(row: AnswerRow) {
  return {
    merchantId: row.merchant_id,
    disputeId: row.dispute_id,
    stage: row.stage,
    psp: row.psp,
    fence: row.fence,
    updatedAt: row.updated_at,
    ...present({ reason: row.reason ?? undefined }),
  };
}
