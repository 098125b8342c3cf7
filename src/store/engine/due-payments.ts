import type { DueItems } from '../../domain/held-back.ts';
import { newId } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type {
  ClaimInput,
  DuePayment,
  OpenAttempt,
  PaymentContext,
} from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { type ClaimedPayment, takeOverNames } from '../debts/adopt-names.ts';
import type { OpenAttemptRow } from './payment-context.ts';
import {
  type ContextRow,
  contextColumns,
  openAttemptJson,
  toContext,
  toOpenAttempt,
} from './payment-context.ts';
import { isAllDue, pickDue, shareColumn } from './pick-due.ts';

/**
 * Takes due payments under a lease. Their keys alone come back: this statement sees the database as
 * it was when it began, and a step or an update that overtook it, just before it got the row, may
 * have changed what else belongs to the payment.
 */
const claim: Statement = {
  name: 'claim_due_payments',
  plans: 'kept',
  text: `
    with ${pickDue({
      table: 'payments',
      key: `w.invoice_id, w.state = 'attempting' as was_attempting`,
      order: 'w.next_attempt_at',
    })}
    update payments p
    set lease_until = $2,
        fence = p.fence + 1,
        state = case when p.due_action = 'attempt' then 'attempting' else p.state end,
        updated_at = $1
    from picked
    where p.merchant_id = picked.merchant_id and p.invoice_id = picked.invoice_id
    returning p.merchant_id, p.invoice_id, p.fence, p.learned_names is not null as has_learned,
      picked.was_attempting, ${shareColumn}`,
};

interface ClaimedRow extends ClaimedPayment {
  /** Names wait for the end of an attempt. */
  readonly has_learned: boolean;
  /** Whoever had it before was attempting it, and may have left an attempt open. */
  readonly was_attempting: boolean;
  readonly share: number;
}

const taken = `
  unnest($1::text[], $2::text[], $3::int[]) as k (merchant_id, invoice_id, fence)
  join payments p
    on p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id and p.fence = k.fence`;

/** The attempt `a` of payment `p` that was left open, with its charges. */
const leftOpen = `select ${openAttemptJson('a')} from all_attempts a
    where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
      and a.state in ('checking', 'charging', 'unknown')`;

/**
 * Reads what was taken; one whose lease was lost since, to a stop or a retry, is passed over.
 *
 * Parts of a statement are never joined to each other here, only looked up in tables by key: their
 * join would compare each row with each, since the planner knows nothing of their sizes.
 */
const read: Statement = {
  name: 'read_claimed_payments',
  plans: 'kept',
  text: `
    select ${contextColumns('p')}, p.due_action, p.next_attempt_at, null::json as left_open
    from ${taken}`,
};

/** A payment that was left `attempting` by a worker that died keeps the attempt that is open. */
const readLeft: Statement = {
  name: 'read_payments_left_attempting',
  plans: 'kept',
  text: `
    select ${contextColumns('p')}, p.due_action, p.next_attempt_at, (${leftOpen}) as left_open
    from ${taken}`,
};

interface DueRow extends ContextRow {
  readonly due_action: DuePayment['dueAction'];
  readonly next_attempt_at: Date;
  readonly left_open: OpenAttemptRow | null;
}

export async function claimDuePayments(
  deps: { readonly db: Queryable; readonly random: Random },
  input: ClaimInput,
): Promise<DueItems<DuePayment>> {
  const { now, leaseUntil, busy, perMerchant, limit } = input;
  const values = [now, leaseUntil, busy, perMerchant, limit];
  const claimed = await deps.db.query<ClaimedRow>(claim, values);
  if (claimed.length === 0) return { items: [], isAll: true };
  await takeOverNames(
    deps.db,
    claimed.filter((row) => row.has_learned),
  );
  const left = claimed.filter((row) => row.was_attempting);
  const others = claimed.filter((row) => !row.was_attempting);
  const rows = [
    ...(others.length === 0 ? [] : await deps.db.query<DueRow>(read, keysOf(others))),
    ...(left.length === 0 ? [] : await deps.db.query<DueRow>(readLeft, keysOf(left))),
  ];
  return { items: rows.map((row) => toDue(deps, row, now)), isAll: isAllDue(claimed, limit) };
}

const keysOf = (claimed: readonly ClaimedRow[]): readonly unknown[] => [
  claimed.map((row) => row.merchant_id),
  claimed.map((row) => row.invoice_id),
  claimed.map((row) => row.fence),
];

function toDue(deps: { readonly random: Random }, row: DueRow, now: Date): DuePayment {
  const payment = toContext(row);
  const common = { payment, dueAction: row.due_action, dueAt: row.next_attempt_at };
  if (row.left_open !== null) return { ...common, attempt: toOpenAttempt(row.left_open) };
  if (row.due_action !== 'attempt') return common;
  return { ...common, attempt: newAttempt(deps, payment, now) };
}

/** It is written when its first charge has ended, or when it ends without one. */
function newAttempt(
  deps: { readonly random: Random },
  { decision }: PaymentContext,
  startedAt: Date,
): OpenAttempt {
  return {
    attemptId: newId(deps.random, 'att'),
    state: 'checking',
    startedAt,
    ...present({ decision }),
    transactions: [],
  };
}

const load: Statement = {
  name: 'load_payment_context',
  plans: 'kept',
  text: `select ${contextColumns('p')} from payments p
         where p.merchant_id = $1 and p.invoice_id = $2`,
};

export async function loadPaymentContext(
  db: Queryable,
  input: { readonly merchantId: string; readonly invoiceId: string },
): Promise<PaymentContext | undefined> {
  const [row] = await db.query<ContextRow>(load, [input.merchantId, input.invoiceId]);
  return row === undefined ? undefined : toContext(row);
}
