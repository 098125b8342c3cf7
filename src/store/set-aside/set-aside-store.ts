import { addMs } from '../../domain/clock.ts';
import { failureBackoffMs, limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { Page } from '../../recovery/api.ts';
import type {
  FailedWork,
  FailureOutcome,
  ListSetAside,
  SetAside,
  SetAsideStore,
  WorkKind,
} from '../../recovery/set-aside/set-aside-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessLeft } from '../moving/unless-moved.ts';
import { pageOf, placeOf } from '../page-cursor.ts';

/** How each kind's table names its rows, and which of them are still work. */
const tables: Readonly<
  Record<WorkKind, { readonly table: string; readonly id: string; readonly isOpen: string }>
> = {
  payment: {
    table: 'payments',
    id: 'w.invoice_id',
    isOpen: `w.state in ('scheduled', 'attempting') and w.frozen_at is null`,
  },
  charge: {
    table: 'psp_transactions',
    id: 'w.idempotency_key',
    isOpen: `w.state = 'unknown'`,
  },
  delivery: { table: 'deliveries', id: 'w.event_id', isOpen: `w.state = 'pending'` },
  endpoint_delivery: {
    table: 'endpoint_deliveries',
    id: `w.event_id || ':' || w.endpoint_id`,
    isOpen: `w.state = 'pending'`,
  },
  request: { table: 'requests', id: 'w.sequence::text', isOpen: `w.state = 'accepted'` },
};

const invoiceOfEvent = `(select e.invoice_id from events e
              where e.merchant_id = w.merchant_id and e.event_id = w.event_id)`;

const invoiceOf: Readonly<Record<WorkKind, string>> = {
  payment: 'w.invoice_id',
  charge: 'w.invoice_id',
  delivery: invoiceOfEvent,
  endpoint_delivery: invoiceOfEvent,
  request: `w.body #>> '{invoice,id}'`,
};

/** By the key's own type, so that the index finds it. */
const keyOf: Readonly<Record<WorkKind, string>> = {
  payment: 'w.invoice_id = $2',
  charge: 'w.idempotency_key = $2',
  delivery: 'w.event_id = $2',
  endpoint_delivery: `w.event_id = split_part($2, ':', 1) and w.endpoint_id = split_part($2, ':', 2)`,
  request: 'w.sequence = $2::bigint',
};

const note = (kind: WorkKind): Statement => ({
  name: `note_failed_${kind}`,
  text: `
    update ${tables[kind].table} w
    set failures = w.failures + 1, lease_until = null,
        next_attempt_at = ($5::timestamptz[])[w.failures + 1],
        set_aside_at = case when w.failures >= cardinality($5::timestamptz[]) then $4::timestamptz end,
        set_aside_reason = case when w.failures >= cardinality($5::timestamptz[]) then $3 end
    where w.merchant_id = $1 and ${keyOf[kind]} and ${tables[kind].isOpen}
      and w.next_attempt_at is not null
    returning w.set_aside_at is not null as is_set_aside`,
});

/**
 * Of a webhook the days in which it lay aside are made up for, as those of an outage: its window moves on by the whole
 * intervals since the mark after its last send, so that an endpoint has all of its sends.
 */
const intervalsSince = (at: string): string =>
  `floor(extract(epoch from ${at} - w.window_started_at) * 1000 / ${limits.redeliveryIntervalMs})`;
const madeUpFor = `, window_started_at = w.window_started_at + interval '1 millisecond' * ${limits.redeliveryIntervalMs}
          * greatest(0, ${intervalsSince('$3::timestamptz')} - ${intervalsSince('w.last_sent_at')} - 1)`;

const againOf: Readonly<Partial<Record<WorkKind, string>>> = {
  payment: ', postponements = 0, revision = w.revision + 1',
  delivery: madeUpFor,
  endpoint_delivery: madeUpFor,
};

const again = (kind: WorkKind): Statement => ({
  name: `retry_set_aside_${kind}`,
  text: `
    update ${tables[kind].table} w
    set failures = 0, set_aside_at = null, set_aside_reason = null, next_attempt_at = $3
        ${againOf[kind] ?? ''}
    where w.merchant_id = $1 and ${keyOf[kind]} and ${tables[kind].isOpen}
      and w.set_aside_at is not null
    returning 1`,
});

const listed = (kind: WorkKind): string => `
  select '${kind}' as kind, w.merchant_id, ${tables[kind].id} as id, ${invoiceOf[kind]} as invoice_id,
         w.set_aside_reason as reason, w.failures, w.set_aside_at
  from ${tables[kind].table} w
  where w.set_aside_at is not null and ($1::text[] is null or w.merchant_id = any($1)) ${unlessLeft('w')}
    and ($2::text is null or $2 = '${kind}')`;

const kinds = Object.keys(tables) as readonly WorkKind[];

const list: Statement = {
  name: 'list_set_aside',
  text: `
    select * from (${kinds.map(listed).join(' union all ')}) s
    where ($3::timestamptz is null
           or (s.set_aside_at, s.merchant_id, s.kind, s.id) > ($3, $4, $5, $6))
      and ($8::text is null or s.invoice_id = $8)
    order by s.set_aside_at, s.merchant_id, s.kind, s.id
    limit $7`,
};

interface SetAsideRow {
  readonly kind: WorkKind;
  readonly merchant_id: string;
  readonly id: string;
  readonly invoice_id: string | null;
  readonly reason: string;
  readonly failures: number;
  readonly set_aside_at: Date;
}

const notes = new Map(kinds.map((kind) => [kind, note(kind)]));
const retries = new Map(kinds.map((kind) => [kind, again(kind)]));

export function createSetAsideStore(db: Database): SetAsideStore {
  return {
    noteFailure: (work) => noteFailure(db, work),
    retry: ({ kind, merchantId, id, at, audit }) =>
      db.transaction(async (tx) => {
        if (kind === 'request' && !/^\d{1,18}$/.test(id)) return false;
        const rows = await tx.query(statementOf(retries, kind), [merchantId, id, at]);
        if (rows.length > 0) await appendAudit(tx, merchantId, audit);
        return rows.length > 0;
      }),
  };
}

async function noteFailure(db: Queryable, work: FailedWork): Promise<FailureOutcome> {
  const { kind, merchantId, id, reason, at } = work;
  const [row] = await db.query<{ is_set_aside: boolean }>(statementOf(notes, kind), [
    merchantId,
    id,
    reason.slice(0, 500),
    at,
    failureBackoffMs.map((backoffMs) => addMs(at, backoffMs)),
  ]);
  if (row === undefined) return 'moved';
  return row.is_set_aside ? 'set_aside' : 'backs_off';
}

/** The longest set aside first. @throws AppError invalid_request for a cursor of another list */
export async function listSetAside(db: Queryable, input: ListSetAside): Promise<Page<SetAside>> {
  const { merchantIds, kind, invoiceId, cursor, limit } = input;
  const values = [merchantIds, kind, ...placeOf(cursor, 3), limit + 1, invoiceId];
  const rows = await db.query<SetAsideRow>(list, values);
  return pageOf(rows, limit, {
    item: (row) => ({
      kind: row.kind,
      merchantId: row.merchant_id,
      id: row.id,
      reason: row.reason,
      failures: row.failures,
      setAsideAt: row.set_aside_at,
      ...present({ invoiceId: row.invoice_id ?? undefined }),
    }),
    keys: (row) => [row.set_aside_at.toISOString(), row.merchant_id, row.kind, row.id],
  });
}

function statementOf(of: ReadonlyMap<WorkKind, Statement>, kind: WorkKind): Statement {
  const statement = of.get(kind);
  if (statement === undefined) throw new Error(`no statement for ${kind}`);
  return statement;
}
