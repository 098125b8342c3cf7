import { joinReports } from '../../domain/debts/join-reports.ts';
import type { DueItems } from '../../domain/held-back.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { ClaimInput } from '../../recovery/engine-ports.ts';
import type { AppliedRequest, DueRequest, RequestLog } from '../../recovery/intake-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { isOfOneRow } from '../database-fault.ts';
import { findNames } from '../debts/find-names.ts';
import { mergeDebts } from '../debts/merge-debts.ts';
import { isAllDue, pickDue, shareColumn } from '../engine/pick-due.ts';
import { groupCommit } from '../group-commit.ts';
import { appendRequests } from './append-requests.ts';
import { storeChanges } from './store-changes.ts';

// Two batches in flight keep the disk busy while the next batch fills; more only make them smaller.
const maxBatchSize = 512;
const maxInFlight = 2;

export function createRequestLog(deps: {
  readonly db: Database;
  readonly random: Random;
  /** The database that holds what these merchants report. Default: `db`. */
  readonly among?: (merchantIds: readonly string[]) => Queryable;
}): RequestLog {
  const { db } = deps;
  const { among = () => db } = deps;
  return {
    append: groupCommit({
      run: (requests) =>
        appendRequests(among([...new Set(requests.map((one) => one.merchantId))]), requests),
      maxBatchSize,
      maxInFlight,
      // One row that the database refuses must not fail its neighbours; a database that is away
      // fails them all.
      isolate: isOfOneRow,
    }),
    claimDue: (input) => claimDueRequests(db, input),
    findDebts: async (reports) =>
      reports.length === 0 ? [] : joinReports(reports, await findNames(db, reports)).reports,
    async mergeDebts(input) {
      await db.transaction((tx) => mergeDebts(tx, input));
    },
    add: (changes) => storeChanges(deps, changes),
    finish: (applied, at) => finishRequests(db, applied, at),
  };
}

const claim: Statement = {
  name: 'claim_due_requests',
  plans: 'kept',
  text: `
    with ${pickDue({ table: 'requests', key: 'w.sequence', order: 'w.next_attempt_at, w.sequence' })}
    update requests r
    set lease_until = $2, fence = r.fence + 1
    from picked
    where r.merchant_id = picked.merchant_id and r.sequence = picked.sequence
    returning r.merchant_id, r.sequence::text, r.kind, r.body, r.received_at, r.channel,
      r.psp_invoice_id, ${shareColumn}`,
};

interface RequestRow {
  readonly merchant_id: string;
  readonly sequence: string;
  readonly kind: DueRequest['kind'];
  readonly body: DueRequest['body'];
  readonly received_at: Date;
  readonly channel: DueRequest['channel'];
  readonly psp_invoice_id: string | null;
  readonly share: number;
}

/** Due requests in the order in which they were accepted. */
async function claimDueRequests(db: Queryable, input: ClaimInput): Promise<DueItems<DueRequest>> {
  const rows = await db.query<RequestRow>(claim, [
    input.now,
    input.leaseUntil,
    input.busy,
    input.perMerchant,
    input.limit,
  ]);
  const items = rows
    .map((row) => ({
      merchantId: row.merchant_id,
      sequence: BigInt(row.sequence),
      kind: row.kind,
      body: row.body,
      receivedAt: row.received_at,
      channel: row.channel,
      ...present({ pspInvoiceId: row.psp_invoice_id ?? undefined }),
    }))
    .sort((a, b) => Number(a.sequence - b.sequence));
  return { items, isAll: isAllDue(rows, input.limit) };
}

const finish: Statement = {
  name: 'finish_requests',
  plans: 'kept',
  text: `
    update requests r
    set state = 'applied', outcome = i.outcome, applied_at = $4, body = null,
        next_attempt_at = null, lease_until = null
    from unnest($1::text[], $2::bigint[], $3::jsonb[]) as i (merchant_id, sequence, outcome)
    where r.merchant_id = i.merchant_id and r.sequence = i.sequence and r.state = 'accepted'`,
};

async function finishRequests(
  db: Queryable,
  applied: readonly AppliedRequest[],
  at: Date,
): Promise<void> {
  await db.query(finish, [
    applied.map((request) => request.merchantId),
    applied.map((request) => request.sequence.toString()),
    applied.map((request) => JSON.stringify(request.outcome)),
    at,
  ]);
}
