import { invariant } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { PaymentState } from '../../domain/states.ts';
import type { InvoiceKey, LearnedNames } from '../../recovery/intake-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { adoptNames } from './adopt-names.ts';
import { moveHistory } from './move-history.ts';

/** Locked in one order, with those that were joined to them before; a charge on its way is asked for under the lock. */
const hold: Statement = {
  name: 'hold_debts_to_merge',
  text: `
    select p.invoice_id, p.state, p.attempt_count, p.created_at, p.psp, p.psp_invoice_id,
      p.psp_customer_id, p.reported_by, p.customer_id, p.subscription_id, p.transaction_id,
      p.original_psp_transaction_id, p.custom, p.payment_method_ids, p.merchant_invoice_id,
      p.learned_names, p.frozen_at, p.stop_reason, p.stop_detail, p.joined_to
    from payments p
    where p.merchant_id = $1
      and (p.invoice_id = any ($2::text[]) or p.joined_to = any ($2::text[]))
    order by p.invoice_id
    for update`,
};

/** What debts were joined to, before any of them is held. */
const joinedTo: Statement = {
  name: 'debts_joined_to',
  text: `
    select p.joined_to from payments p
    where p.merchant_id = $1 and p.invoice_id = any ($2::text[])`,
};

const inFlight: Statement = {
  name: 'debts_with_charge_in_flight',
  text: `
    select t.invoice_id from psp_transactions t
    where t.merchant_id = $1 and t.invoice_id = any ($2::text[])
      and t.state in ('sending', 'unknown')`,
};

/**
 * One that waits is looked at now, and ends; one that is being attempted ends with its attempt, as joined. A stop that
 * was asked for meanwhile is the debt's.
 */
const join: Statement = {
  name: 'join_debts',
  text: `
    update payments p
    set joined_to = $3, revision = p.revision + 1, updated_at = $4,
        stop_reason = case when p.state in ('scheduled', 'attempting') then null
                           else p.stop_reason end,
        stop_detail = case when p.state in ('scheduled', 'attempting') then null
                           else p.stop_detail end,
        due_action = case when p.state = 'scheduled' then 'plan' else p.due_action end,
        next_attempt_at = case when p.state = 'scheduled' and p.frozen_at is null then $4
                               else p.next_attempt_at end
    where p.merchant_id = $1
      and (p.invoice_id = any ($2::text[]) or p.joined_to = any ($2::text[]))`,
};

/** The stop that was asked for during an attempt of one that is joined: its merchant was told that the debt is stopped. */
const takeStop: Statement = {
  name: 'take_stop_of_joined_debt',
  text: `
    update payments p
    set stop_reason = $3, stop_detail = $4, revision = p.revision + 1, updated_at = $5,
        due_action = case when p.state = 'scheduled' then 'plan' else p.due_action end,
        next_attempt_at = case when p.state = 'scheduled' and p.frozen_at is null then $5
                               else p.next_attempt_at end
    where p.merchant_id = $1 and p.invoice_id = $2 and p.state in ('scheduled', 'attempting')
      and p.stop_reason is null`,
};

interface DebtRow {
  readonly invoice_id: string;
  readonly state: PaymentState;
  readonly attempt_count: number;
  readonly created_at: Date;
  readonly psp: Psp;
  readonly psp_invoice_id: string | null;
  readonly psp_customer_id: string | null;
  readonly reported_by: 'merchant' | 'psp';
  readonly customer_id: string;
  readonly subscription_id: string | null;
  readonly transaction_id: string;
  readonly original_psp_transaction_id: string;
  readonly custom: JsonObject | null;
  readonly payment_method_ids: readonly string[];
  readonly merchant_invoice_id: string | null;
  /** What an attempt that is under way keeps waiting. */
  readonly learned_names: Partial<Omit<LearnedNames, keyof InvoiceKey | 'psp'>> | null;
  readonly frozen_at: Date | null;
  readonly stop_reason: string | null;
  readonly stop_detail: string | null;
  readonly joined_to: string | null;
}

/**
 * Makes one recovery of several that turned out to be of one debt. The one goes on whose charge may be
 * on its way; an end that was reached holds for the debt. Answers its id. Where the other one has a
 * charge on its way too, `begin_charges` holds this one back until that has ended.
 */
export async function mergeDebts(
  tx: Queryable,
  input: { readonly merchantId: string; readonly invoiceIds: readonly string[]; readonly at: Date },
): Promise<string> {
  const { merchantId, invoiceIds, at } = input;
  const held = await holdAll(tx, merchantId, invoiceIds);
  const debts = held.filter((debt) => debt.joined_to === null);
  const charging = await tx.query<{ invoice_id: string }>(inFlight, [
    merchantId,
    debts.map((debt) => debt.invoice_id),
  ]);
  const isCharging = new Set(charging.map((row) => row.invoice_id));
  const [first, ...others] = debts.toSorted(
    (a, b) =>
      rank(a, isCharging) - rank(b, isCharging) ||
      b.attempt_count - a.attempt_count ||
      a.created_at.getTime() - b.created_at.getTime() ||
      (a.invoice_id < b.invoice_id ? -1 : 1),
  );
  invariant(first !== undefined, 'a debt has a payment');
  if (others.length === 0) return first.invoice_id;
  const otherIds = others.map((other) => other.invoice_id);
  await tx.query(join, [merchantId, otherIds, first.invoice_id, at]);
  const stopped = others.find((other) => other.stop_reason !== null);
  if (stopped !== undefined) {
    const { stop_reason: reason, stop_detail: detail } = stopped;
    await tx.query(takeStop, [merchantId, first.invoice_id, reason, detail, at]);
  }
  await moveHistory(
    tx,
    otherIds.map((reportedAs) => ({ merchantId, invoiceId: first.invoice_id, reportedAs })),
  );
  await adoptNames(
    tx,
    others.map((other) => namesOf({ merchantId, invoiceId: first.invoice_id }, other)),
  );
  return first.invoice_id;
}

/** With what they were joined to by now: that was told of the same debt, and is where it goes on. */
async function holdAll(
  tx: Queryable,
  merchantId: string,
  invoiceIds: readonly string[],
): Promise<readonly DebtRow[]> {
  const asked = new Set(invoiceIds);
  const furtherOf = (debts: readonly Pick<DebtRow, 'joined_to'>[]) =>
    debts.flatMap(({ joined_to: id }) => (id === null || asked.has(id) ? [] : [id]));
  const before = await tx.query<Pick<DebtRow, 'joined_to'>>(joinedTo, [merchantId, invoiceIds]);
  for (let further = furtherOf(before); ; ) {
    for (const id of further) asked.add(id);
    const held = await tx.query<DebtRow>(hold, [merchantId, [...asked]]);
    // By a transaction that held them until now.
    further = furtherOf(held);
    if (further.length === 0) return held;
  }
}

/**
 * An end comes first, since a debt that has ended is not begun again; then what a person has to decide,
 * and what may be under way.
 */
function rank(debt: DebtRow, isCharging: ReadonlySet<string>): number {
  if (debt.state === 'recovered') return 0;
  if (debt.state === 'stopped') return 1;
  if (debt.frozen_at !== null) return 2;
  if (isCharging.has(debt.invoice_id)) return 3;
  if (debt.state === 'exhausted') return 4;
  return debt.state === 'attempting' ? 5 : 6;
}

function namesOf(debt: InvoiceKey, other: DebtRow): LearnedNames {
  const learned = other.learned_names ?? {};
  return {
    ...debt,
    psp: other.psp,
    paymentMethodIds: [...other.payment_method_ids, ...(learned.paymentMethodIds ?? [])],
    ...present({
      pspInvoiceId: other.psp_invoice_id ?? learned.pspInvoiceId,
      pspCustomerId: other.psp_customer_id ?? learned.pspCustomerId,
      merchant: merchantNamesOf(other) ?? learned.merchant,
    }),
  };
}

function merchantNamesOf(debt: DebtRow): LearnedNames['merchant'] {
  if (debt.reported_by !== 'merchant' && debt.merchant_invoice_id === null) return undefined;
  return {
    invoiceId: debt.merchant_invoice_id ?? debt.invoice_id,
    customerId: debt.customer_id,
    subscriptionId: debt.subscription_id ?? debt.invoice_id,
    transactionId: debt.transaction_id,
    originalPspTransactionId: debt.original_psp_transaction_id,
    ...present({ custom: debt.custom ?? undefined }),
  };
}
