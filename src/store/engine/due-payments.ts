import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type {
  ClaimInput,
  DuePayment,
  OpenAttempt,
  PaymentContext,
} from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import type { OpenAttemptRow } from './payment-context.ts';
import {
  type ContextRow,
  contextColumns,
  openAttemptJson,
  toContext,
  toOpenAttempt,
} from './payment-context.ts';
import { pickDue } from './pick-due.ts';

/**
 * Takes due payments under a lease, and opens an attempt for each whose turn is a try. A payment
 * that was left `attempting` by a worker that died keeps the attempt that is open.
 *
 * Parts of a statement are never joined to each other here, only looked up in tables by key: their
 * join would compare each row with each, since the planner knows nothing of their sizes.
 */
const claim: Statement = {
  name: 'claim_due_payments',
  text: `
    with ${pickDue({ table: 'payments', key: 'w.invoice_id, w.state', order: 'w.next_attempt_at' })},
    claimed as (
      update payments p
      set lease_until = $2,
          fence = p.fence + 1,
          state = case when p.due_action = 'attempt' then 'attempting' else p.state end,
          updated_at = $1
      from (select *, row_number() over () as n from picked) k
      where p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id
      returning p.*, k.n, k.state = 'attempting' as left_attempting
    ),
    opened as (
      insert into attempts (merchant_id, attempt_id, invoice_id, number, state, decision, started_at)
      select c.merchant_id, ($6::text[])[c.n], c.invoice_id,
             1 + coalesce((select max(a.number) from attempts a
                           where a.merchant_id = c.merchant_id and a.invoice_id = c.invoice_id), 0),
             'checking', c.decision, $1
      from claimed c
      where c.due_action = 'attempt'
        and case when c.left_attempting then not exists (${openAttempt('1', 'c')}) else true end
    )
    select ${contextColumns('p')}, p.due_action, p.next_attempt_at, p.n::int,
           case when p.left_attempting then (${openAttempt(openAttemptJson('a'), 'p')}) end as left_open
    from claimed p`,
};

/** Selects from the attempt `a` that was open before this statement, of the payment of alias `p`. */
function openAttempt(columns: string, p: string): string {
  return `select ${columns} from attempts a
    where a.merchant_id = ${p}.merchant_id and a.invoice_id = ${p}.invoice_id
      and a.state in ('checking', 'charging', 'unknown')`;
}

interface DueRow extends ContextRow {
  readonly due_action: DuePayment['dueAction'];
  readonly next_attempt_at: Date;
  /** Counts the rows of one claim from 1. */
  readonly n: number;
  readonly left_open: OpenAttemptRow | null;
}

export async function claimDuePayments(
  deps: { readonly db: Queryable; readonly random: Random },
  input: ClaimInput,
): Promise<readonly DuePayment[]> {
  const attemptIds = Array.from({ length: input.limit }, () => newId(deps.random, 'att'));
  const rows = await deps.db.query<DueRow>(claim, [
    input.now,
    input.leaseUntil,
    input.busy,
    input.perMerchant,
    input.limit,
    attemptIds,
  ]);
  return rows.map((row) => {
    const payment = toContext(row);
    const common = { payment, dueAction: row.due_action, dueAt: row.next_attempt_at };
    if (row.left_open !== null) return { ...common, attempt: toOpenAttempt(row.left_open) };
    const attemptId = attemptIds[row.n - 1];
    if (row.due_action !== 'attempt' || attemptId === undefined) return common;
    return { ...common, attempt: newAttempt(payment, attemptId, input.now) };
  });
}

/** The attempt that the claim opened, as it wrote it. */
function newAttempt(payment: PaymentContext, attemptId: string, startedAt: Date): OpenAttempt {
  const { decision } = payment;
  return {
    attemptId,
    state: 'checking',
    startedAt,
    ...(decision === undefined ? {} : { decision }),
    transactions: [],
  };
}

const load: Statement = {
  name: 'load_payment_context',
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
