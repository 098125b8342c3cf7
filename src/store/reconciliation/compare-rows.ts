import { addMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { PspTransactionState } from '../../domain/states.ts';
import type {
  OwnCharge,
  Reconciliation,
} from '../../recovery/reconciliation/reconciliation-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** Two clocks are no further apart: what lies so near to an end of the window may be beyond it there. */
const marginMs = hourMs;

const ownColumns = `
  t.merchant_id, t.invoice_id, t.idempotency_key, t.payment_method_id, t.state, t.psp_transaction_id,
  t.amount_minor::float8 as amount_minor, t.currency, t.sent_at`;

/**
 * By their keys, and by the PSP's ids where a report has no keys. Merchants with one account see each
 * other's charges in its list. Of a key's rows the one that may stand for a charge comes last.
 */
const own: Statement = {
  name: 'find_own_charges',
  text: `
    with sharing as (
      select c.merchant_id from psp_connections c
      join psp_connections r on r.merchant_id = $1 and r.psp = $2 and r.version = $3
      where c.psp = $2 and (c.merchant_id = $1 or (c.account is not null and c.account = r.account))
      group by 1
      union select $1
    )
    select ${ownColumns} from sharing s
    cross join unnest($4::text[]) as k (key)
    join psp_transactions t on t.merchant_id = s.merchant_id and t.idempotency_key = k.key
    where t.psp = $2
    union all
    select ${ownColumns} from sharing s
    join psp_transactions t on t.merchant_id = s.merchant_id and t.psp_transaction_id = any($5)
    where t.psp = $2
    order by 1, 4`,
};

export interface OwnRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly idempotency_key: string;
  readonly payment_method_id: string;
  readonly state: PspTransactionState;
  readonly psp_transaction_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly sent_at: Date;
}

export async function findOwn(
  db: Queryable,
  run: Reconciliation,
  ids: { readonly keys: readonly string[]; readonly pspIds: readonly string[] },
): Promise<readonly OwnCharge[]> {
  const values = [run.merchantId, run.psp, run.connectionVersion, ids.keys, ids.pspIds];
  const rows = await db.query<OwnRow>(own, values);
  const standsFor = ({ state }: OwnRow) => (state === 'not_made' ? 0 : 1);
  return rows.toSorted((a, b) => standsFor(a) - standsFor(b)).map(toOwn);
}

export function toOwn(row: OwnRow): OwnCharge {
  return {
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    idempotencyKey: row.idempotency_key,
    paymentMethodId: row.payment_method_id,
    state: row.state,
    amountMinor: row.amount_minor,
    currency: row.currency,
    at: row.sent_at,
    ...present({ pspTransactionId: row.psp_transaction_id ?? undefined }),
  };
}

/** Settled ones in the order in which they settled; those without an answer are few, and come first. */
const unseen: Statement = {
  name: 'find_unseen_charges',
  text: `
    with candidates as (
      (select t.*, t.settled_at as at from psp_transactions t
       where t.merchant_id = $1 and t.psp = $3 and t.connection_version = $4
         and t.state in ('succeeded', 'declined') and t.settled_at >= $5 and t.settled_at < $6
         and (t.settled_at, t.merchant_id, t.attempt_id, t.ordinal)
           > ($7::timestamptz, $1, $8::text, $9::int)
         and t.sent_at >= $5
       order by t.settled_at, t.merchant_id, t.attempt_id, t.ordinal
       limit $10)
      union all
      select t.*, null from psp_transactions t
      where $8 = '' and t.merchant_id = $1 and t.psp = $3 and t.connection_version = $4
        and t.state in ('sending', 'unknown') and t.sent_at >= $5 and t.sent_at < $6
    )
    select ${ownColumns}, t.attempt_id, t.ordinal, t.at::text as settled_at,
           exists (select from reconciliation_charges c
                   where c.merchant_id = $1 and c.run_id = $2 and c.charge = t.idempotency_key) as is_seen
    from candidates t
    order by t.at nulls first, t.attempt_id, t.ordinal`,
};

interface UnseenRow extends OwnRow {
  readonly attempt_id: string;
  readonly ordinal: number;
  readonly settled_at: string | null;
  readonly is_seen: boolean;
}

export async function findUnseen(
  db: Queryable,
  run: Reconciliation,
  limit: number,
): Promise<{ readonly charges: readonly OwnCharge[]; readonly place?: readonly string[] }> {
  const [at = '-infinity', attemptId = '', ordinal = '0'] = run.place;
  const rows = await db.query<UnseenRow>(unseen, [
    run.merchantId,
    run.runId,
    run.psp,
    run.connectionVersion,
    addMs(run.since, marginMs),
    addMs(run.until, -marginMs),
    at,
    attemptId,
    Number(ordinal),
    limit,
  ]);
  const charges = rows.filter((row) => !row.is_seen).map(toOwn);
  const last = rows.at(-1);
  const settled = rows.filter((row) => row.settled_at !== null).length;
  if (settled < limit || last === undefined || last.settled_at === null) return { charges };
  return { charges, place: [last.settled_at, last.attempt_id, last.ordinal.toString()] };
}

const declines: Statement = {
  name: 'has_listed_declines',
  text: `
    select exists (
      select from reconciliation_charges c
      join psp_transactions t on t.merchant_id = c.merchant_id and t.idempotency_key = c.charge
      where c.merchant_id = $1 and c.run_id = $2 and t.state = 'declined') as has`,
};

/** Whether the list held any declined charge of ours: some PSPs list successes only. */
export async function hasListedDeclines(db: Queryable, run: Reconciliation): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(declines, [run.merchantId, run.runId]);
  return row?.has ?? false;
}
