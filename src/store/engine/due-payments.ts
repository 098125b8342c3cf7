import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { ClaimInput, DuePayment, PaymentContext } from '../../recovery/engine-ports.ts';
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
 */
const claim: Statement = {
  name: 'claim_due_payments',
  text: `
    with ${pickDue({ table: 'payments', key: 'invoice_id', order: 'next_attempt_at' })},
    claimed as (
      update payments p
      set lease_until = $2,
          fence = p.fence + 1,
          state = case when p.due_action = 'attempt' then 'attempting' else p.state end,
          updated_at = $1
      from picked
      where p.merchant_id = picked.merchant_id and p.invoice_id = picked.invoice_id
      returning p.*
    ),
    left_open as (
      select a.* from attempts a join claimed c using (merchant_id, invoice_id)
      where a.state in ('checking', 'charging', 'unknown')
    ),
    opened as (
      insert into attempts (merchant_id, attempt_id, invoice_id, number, state, decision, started_at)
      select c.merchant_id, fresh.attempt_id, c.invoice_id,
             1 + coalesce((select max(a.number) from attempts a
                           where a.merchant_id = c.merchant_id and a.invoice_id = c.invoice_id), 0),
             'checking', c.decision, $1
      from (
        select claimed.*, row_number() over () as n from claimed
        where due_action = 'attempt'
          and not exists (select 1 from left_open l
                          where l.merchant_id = claimed.merchant_id and l.invoice_id = claimed.invoice_id)
      ) c
      join unnest($6::text[]) with ordinality as fresh (attempt_id, n) using (n)
      returning *
    )
    select ${contextColumns('p')}, p.due_action, p.next_attempt_at,
           coalesce(
             (select ${openAttemptJson('a')} from opened a
              where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id),
             (select ${openAttemptJson('a')} from left_open a
              where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id)
           ) as attempt
    from claimed p`,
};

interface DueRow extends ContextRow {
  readonly due_action: DuePayment['dueAction'];
  readonly next_attempt_at: Date;
  readonly attempt: OpenAttemptRow | null;
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
  return rows.map((row) => ({
    payment: toContext(row),
    dueAction: row.due_action,
    dueAt: row.next_attempt_at,
    ...(row.attempt === null ? {} : { attempt: toOpenAttempt(row.attempt) }),
  }));
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
