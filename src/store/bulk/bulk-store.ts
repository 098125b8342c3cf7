import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { HoldFilter, Wait } from '../../domain/states.ts';
import {
  type Bulk,
  type BulkAction,
  type BulkScope,
  type BulkStore,
  type OpenState,
  openStates,
  type Place,
  type RunningBulk,
} from '../../recovery/bulk/bulk-ports.ts';
import { whoActs } from '../admin/acting.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import { heldByOf, isHeldAsAsked, waitsFor } from '../views/payment-row.ts';

export function createBulkStore(db: Database): BulkStore {
  return {
    count: (scope) => countScope(db, scope),
    begin: (input) => db.transaction((tx) => begin(tx, input)),
    async find({ merchantId, bulkId }) {
      const [row] = await db.query<BulkRow>(find, [merchantId, bulkId]);
      return row && toBulk(row);
    },
    async list({ merchantId, cursor, limit }) {
      const values = [merchantId, ...placeOf(cursor, 1), limit + 1];
      return pageOf(await db.query<BulkRow>(list, values), limit, {
        item: toBulk,
        keys: (row) => [row.requested_at.toISOString(), row.bulk_id],
      });
    },
    async running(merchantId) {
      const [row] = await db.query<BulkRow>(running, [merchantId]);
      return row && toRunning(row);
    },
    next: (bulk, limit) => next(db, bulk, limit),
    async take({ merchantId, bulkId, after }, place) {
      const from = [after?.createdAt, after?.invoiceId];
      const to = [place.createdAt, place.invoiceId];
      return (await db.query(take, [merchantId, bulkId, ...from, ...to])).length > 0;
    },
    async isLogged({ merchantId, bulkId }, { invoiceId }) {
      return (await db.query(logged, [merchantId, bulkId, invoiceId])).length > 0;
    },
    async note({ merchantId, bulkId }, { place, refusal }) {
      const at = [place.createdAt, place.invoiceId];
      return (await db.query(note, [merchantId, bulkId, ...at, refusal])).length > 0;
    },
    async end({ merchantId, bulkId }, at) {
      await db.query(end, [merchantId, bulkId, at]);
    },
  };
}

/** Whether an open payment `p` waits as `$3` says, began in [$4, $5) and is held by `$6`. */
const isMeant = `
  ($3::text is null or case when $3 = 'customer' then ${waitsFor('p', 'customer')}
                               else ${waitsFor('p', 'attempt')} end)
  and p.created_at >= coalesce($4, '-infinity'::timestamptz) and p.created_at < $5
  and ${isHeldAsAsked(heldByOf('p'), '$6')}`;

const count: Statement = {
  name: 'count_bulk_payments',
  text: `
    select count(*)::int as count from payments p
    where p.merchant_id = $1 and p.state = any ($2::text[]) and ${isMeant}`,
};

/** Each state gives its oldest from its own part of the index. */
const pick: Statement = {
  name: 'pick_bulk_payments',
  text: `
    select p.* from unnest($2::text[]) s (state)
    cross join lateral (
      select p.created_at, p.invoice_id from payments p
      where p.merchant_id = $1 and p.state = s.state and ${isMeant}
        and (p.created_at, p.invoice_id) > (coalesce($7, '-infinity'::timestamptz), coalesce($8, ''))
      order by p.created_at, p.invoice_id
      limit $9
    ) p
    order by p.created_at, p.invoice_id
    limit $9`,
};

const insert: Statement = {
  name: 'insert_bulk_action',
  text: `
    insert into bulk_actions (merchant_id, bulk_id, action, reason, state, status, waiting_for,
      from_at, until_at, held_by, matched, actor, address, requested_at, ended_at)
    values ($1, $2, $3, $4, case when $10::int = 0 then 'done' else 'running' end, $5, $6, $7, $8, $9, $10,
      $11, $12, $13, case when $10::int = 0 then $13::timestamptz end)`,
};

const columns = `merchant_id, bulk_id, action, reason, state, status, waiting_for, from_at, until_at,
  held_by, matched, done, refused, cursor_at, cursor_id, is_under_way, actor, address, requested_at, ended_at`;

const find: Statement = {
  name: 'find_bulk_action',
  text: `select ${columns} from bulk_actions where merchant_id = $1 and bulk_id = $2`,
};

const list: Statement = {
  name: 'list_bulk_actions',
  text: `
    select ${columns} from bulk_actions
    where merchant_id = $1
      and (requested_at, bulk_id) < (coalesce($2, 'infinity'::timestamptz), coalesce($3, ''))
    order by requested_at desc, bulk_id desc
    limit $4`,
};

const running: Statement = {
  name: 'find_running_bulk_action',
  text: `
    select ${columns} from bulk_actions
    where merchant_id = $1 and state = 'running'
    order by requested_at, bulk_id
    limit 1`,
};

/** Compare-and-set on the place: of two runs one goes on. */
const take: Statement = {
  name: 'take_bulk_payment',
  text: `
    update bulk_actions set cursor_at = $5, cursor_id = $6, is_under_way = true
    where merchant_id = $1 and bulk_id = $2 and state = 'running' and not is_under_way
      and cursor_at is not distinct from $3 and cursor_id is not distinct from $4
    returning 1`,
};

/** The line of a stop is written when it is asked for, and says nothing of whether it was done. */
const logged: Statement = {
  name: 'find_bulk_line',
  text: `
    select 1 from audit_log
    where merchant_id = $1 and detail ->> 'invoice_id' = $3 and detail ->> 'bulk_id' = $2
      and action in ('payment.retried', 'payment.set_aside')`,
};

const note: Statement = {
  name: 'note_bulk_payment',
  text: `
    update bulk_actions
    set is_under_way = false,
        done = done + case when $5::text is null then 1 else 0 end,
        refused = case when $5::text is null then refused
                       else jsonb_set(refused, array[$5::text],
                              (coalesce((refused ->> $5::text)::int, 0) + 1)::text::jsonb) end
    where merchant_id = $1 and bulk_id = $2 and is_under_way and cursor_at = $3 and cursor_id = $4
    returning 1`,
};

const end: Statement = {
  name: 'end_bulk_action',
  text: `
    update bulk_actions set state = 'done', ended_at = $3
    where merchant_id = $1 and bulk_id = $2 and state = 'running' and not is_under_way`,
};

interface BulkRow {
  readonly merchant_id: string;
  readonly bulk_id: string;
  readonly action: BulkAction;
  readonly reason: string;
  readonly state: Bulk['state'];
  readonly status: OpenState | null;
  readonly waiting_for: Wait | null;
  readonly held_by: HoldFilter | null;
  readonly from_at: Date | null;
  readonly until_at: Date;
  readonly matched: number;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly cursor_at: Date | null;
  readonly cursor_id: string | null;
  readonly is_under_way: boolean;
  readonly actor: string | null;
  readonly address: string | null;
  readonly requested_at: Date;
  readonly ended_at: Date | null;
}

function statesOf({ status }: Pick<BulkScope, 'status'>): readonly OpenState[] {
  return status === undefined ? openStates : [status];
}

function scopeValues(scope: BulkScope): readonly unknown[] {
  const { merchantId, waitingFor, from, until, heldBy } = scope;
  return [merchantId, statesOf(scope), waitingFor, from, until, heldBy];
}

async function countScope(db: Queryable, scope: BulkScope): Promise<number> {
  const [row] = await db.query<{ count: number }>(count, scopeValues(scope));
  return row?.count ?? 0;
}

async function begin(
  tx: Queryable,
  { bulkId, asked, at, audit }: Parameters<BulkStore['begin']>[0],
): Promise<Bulk> {
  const { merchantId, action, reason, status, waitingFor, from, until, heldBy } = asked;
  const matched = await countScope(tx, asked);
  const who = whoActs();
  const by = [who?.actor, who?.address];
  const scope = [status, waitingFor, from, until, heldBy];
  await tx.query(insert, [merchantId, bulkId, action, reason, ...scope, matched, ...by, at]);
  await appendAudit(tx, merchantId, { ...audit, detail: { ...audit.detail, count: matched } });
  const [row] = await tx.query<BulkRow>(find, [merchantId, bulkId]);
  invariant(row !== undefined, 'a bulk action that was just noted is there');
  return toBulk(row);
}

async function next(db: Queryable, bulk: RunningBulk, limit: number): Promise<readonly Place[]> {
  const after = [bulk.after?.createdAt, bulk.after?.invoiceId];
  const rows = await db.query<{ created_at: Date; invoice_id: string }>(pick, [
    ...scopeValues(bulk),
    ...after,
    limit,
  ]);
  return rows.map((row) => ({ createdAt: row.created_at, invoiceId: row.invoice_id }));
}

function toBulk(row: BulkRow): Bulk {
  return {
    merchantId: row.merchant_id,
    bulkId: row.bulk_id,
    action: row.action,
    reason: row.reason,
    state: row.state,
    until: row.until_at,
    matched: row.matched,
    done: row.done,
    refused: row.refused,
    requestedAt: row.requested_at,
    ...present({
      status: row.status ?? undefined,
      waitingFor: row.waiting_for ?? undefined,
      heldBy: row.held_by ?? undefined,
      from: row.from_at ?? undefined,
      endedAt: row.ended_at ?? undefined,
    }),
  };
}

function toRunning(row: BulkRow): RunningBulk {
  const { cursor_at: createdAt, cursor_id: invoiceId } = row;
  return {
    ...toBulk(row),
    isUnderWay: row.is_under_way,
    ...present({
      after: createdAt === null || invoiceId === null ? undefined : { createdAt, invoiceId },
      actor: row.actor ?? undefined,
      address: row.address ?? undefined,
    }),
  };
}
