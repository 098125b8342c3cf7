import type {
  DisputeChange,
  DisputeKey,
  DisputeRecord,
  DisputeStore,
} from '../../disputes/dispute-ports.ts';
import { disputeStateName } from '../../domain/disputes/normalise/dispute-state.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { type DisputeRow, disputeColumns, toRecord, toRow } from './dispute-rows.ts';
import { findDisputedCharge } from './find-disputed-charge.ts';
import { holdAnalytics } from './matching/hold-analytics.ts';
import { listDisputes, showDispute } from './read-disputes.ts';

/** Held until the transaction ends: the first reports of a dispute may come beside each other. */
const lock: Statement = {
  name: 'lock_dispute',
  text: `select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2 || '/' || $3, 13))`,
};

const find: Statement = {
  name: 'find_dispute_by_psp_id',
  text: `
    select ${disputeColumns.join(', ')} from disputes
    where merchant_id = $1 and psp = $2 and psp_dispute_id = $3`,
};

const at = disputeColumns.length + 1;
const changing = disputeColumns.filter((name) => !['merchant_id', 'dispute_id'].includes(name));

/** The states of a match that hold analytics records. */
const holding = `d.match_state in ('matched', 'conflict')`;
const keptEmail = 'case when not d.email_forgotten then excluded.email_index end';

/**
 * What came anew may have other ids: the dispute is matched again. Until then what it holds stays held. A new
 * deadline is warned of anew.
 */
const write: Statement = {
  name: 'write_dispute',
  text: `
    insert into disputes as d (${disputeColumns.join(', ')}, created_at, updated_at)
    values (${disputeColumns.map((_, index) => `$${index + 1}`).join(', ')}, $${at}, $${at})
    on conflict (merchant_id, dispute_id) do update
    set ${changing.map((name) => `${name} = ${name === 'email_index' ? keptEmail : `excluded.${name}`}`).join(', ')},
        updated_at = excluded.updated_at,
        match_state = case when ${holding} then d.match_state else 'pending' end,
        matched_at = case when ${holding} then d.matched_at end,
        warned_days = case when d.respond_by is not distinct from excluded.respond_by
                           then d.warned_days end
    returning email_forgotten`,
};

/** Whether it is a change shows only once all that was before it is told of: whoever reads them sees to that. */
const noteChange: Statement = {
  name: 'note_dispute_change',
  text: `
    insert into dispute_changes (merchant_id, dispute_id, state, stage, status, occurred_at, recorded_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict do nothing`,
};

const lookUpsDue: Statement = {
  name: 'find_dispute_look_ups_due',
  text: `
    select ${disputeColumns.join(', ')} from disputes
    where next_look_up_at <= $1 ${unlessMoved('disputes')}
    order by next_look_up_at, merchant_id, dispute_id
    limit $2`,
};

export function createDisputeStore({ db }: { readonly db: Database }): DisputeStore {
  return {
    change: (key, decide, changed, at) =>
      db.transaction((tx) => change(tx, { key, decide, changed, at })),
    findCharge: (input) => findDisputedCharge(db, input),
    show: (input) => showDispute(db, input),
    list: (input) => listDisputes(db, input),
    async findLookUpsDue({ at, limit }) {
      const rows = await db.query<DisputeRow>(lookUpsDue, [at, limit]);
      return rows.map(toRecord);
    },
  };
}

async function change(
  tx: Queryable,
  input: {
    readonly key: DisputeKey;
    readonly decide: (stored: DisputeRecord | undefined) => DisputeRecord;
    readonly changed: DisputeChange | undefined;
    readonly at: Date;
  },
): Promise<DisputeRecord> {
  const { key, decide, changed, at } = input;
  const values = [key.merchantId, key.psp, key.pspDisputeId];
  await tx.query(lock, values);
  const [row] = await tx.query<DisputeRow>(find, values);
  const decided = decide(row === undefined ? undefined : toRecord(row));
  const written = toRow(decided);
  const [kept] = await tx.query<{ email_forgotten: boolean }>(write, [
    ...disputeColumns.map((name) => written[name]),
    at,
  ]);
  const record = kept?.email_forgotten === true ? withoutEmail(decided) : decided;
  await holdAnalytics(tx, record);
  if (changed === undefined) return record;
  const { state, occurredAt } = changed;
  const isDispute = state.kind === 'dispute';
  await tx.query(noteChange, [
    record.merchantId,
    record.disputeId,
    disputeStateName(state),
    isDispute ? state.stage : null,
    isDispute ? state.status : null,
    occurredAt,
    at,
  ]);
  return record;
}

function withoutEmail(record: DisputeRecord): DisputeRecord {
  const { emailIndex: _, ...facts } = record.facts;
  return { ...record, facts };
}
