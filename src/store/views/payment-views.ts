import type { Decline } from '../../domain/declines/decline.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { AttemptState, PspTransactionState } from '../../domain/states.ts';
import type {
  AttemptView,
  InvoiceOf,
  ListPayments,
  Page,
  PaymentSummary,
  PaymentView,
  TransactionView,
} from '../../recovery/api.ts';
import { withArchived } from '../archive/over-archived.ts';
import { listContacts } from '../customers/customer-contacts.ts';
import type { Queryable, Statement } from '../database.ts';
import { joinedInvoices } from '../debts/find-debt.ts';
import { decodeCursor, pageOf } from '../page-cursor.ts';
import { type DeliveryRow, deliveryColumns, toDeliveryView } from './delivery-row.ts';
import { type PaymentRow, paymentColumns, toPaymentSummary, waitsFor } from './payment-row.ts';

const showPaymentStatement: Statement = {
  name: 'show_payment',
  text: `
    select ${paymentColumns('p')}, p.subscription_id, p.transaction_id,
           p.merchant_invoice_id, p.psp_invoice_id,
           p.original_psp_transaction_id, p.psp, p.custom, p.decision
    from payments p where p.merchant_id = $1 and p.invoice_id = $2`,
};

const attemptsOf: Statement = {
  name: 'show_attempts',
  text: `
    select a.attempt_id, a.number, a.state, a.started_at, a.ended_at, a.amount_minor, a.currency,
           a.decision, a.check_answer, a.blocked_charges
    from all_attempts a where a.merchant_id = $1 and a.invoice_id = $2 order by a.number`,
};

const transactionsOf: Statement = {
  name: 'show_psp_transactions',
  text: `
    select t.attempt_id, t.ordinal, t.state, t.payment_method_id, t.psp_transaction_id,
           t.network_transaction_id, t.amount_minor, t.currency, t.decline, t.reason, t.sent_at,
           t.settled_at
    from all_attempts a join psp_transactions t using (merchant_id, attempt_id)
    where a.merchant_id = $1 and a.invoice_id = $2 order by a.number, t.ordinal`,
};

const foreignAttemptsOf: Statement = {
  name: 'count_foreign_attempts',
  text: `
    select count(*)::int as count, max(occurred_at) as last_at
    from foreign_attempts where merchant_id = $1 and invoice_id = $2`,
};

const deliveriesOf: Statement = {
  name: 'show_deliveries',
  text: `
    select ${deliveryColumns}
    from events e join deliveries d using (merchant_id, event_id)
    where e.merchant_id = $1 and e.invoice_id = $2 order by e.sequence`,
};

interface PaymentDetailRow extends PaymentRow {
  readonly merchant_invoice_id: string | null;
  readonly psp_invoice_id: string | null;
  readonly subscription_id: string | null;
  readonly transaction_id: string;
  readonly original_psp_transaction_id: string;
  readonly psp: string;
  readonly custom: JsonObject | null;
  readonly decision: JsonObject | null;
}

interface AttemptRow {
  readonly attempt_id: string;
  readonly number: number;
  readonly state: AttemptState;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly decision: JsonObject | null;
  readonly check_answer: JsonObject | null;
  readonly blocked_charges: readonly JsonObject[] | null;
}

interface TransactionRow {
  readonly attempt_id: string;
  readonly ordinal: number;
  readonly state: PspTransactionState;
  readonly payment_method_id: string;
  readonly psp_transaction_id: string | null;
  readonly network_transaction_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly decline: Decline | null;
  readonly reason: string | null;
  readonly sent_at: Date;
  readonly settled_at: Date | null;
}

interface ForeignRow {
  readonly count: number;
  readonly last_at: Date | null;
}

/** A payment with everything that touched it. */
export function showPayment(db: Queryable, input: InvoiceOf): Promise<PaymentView | undefined> {
  return withArchived(db, input, (whole) => readPayment({ db, whole }, input));
}

/** `whole` has what is packed of this payment, and no other payment: who asks for others asks `db`. */
async function readPayment(
  { db, whole }: { readonly db: Queryable; readonly whole: Queryable },
  input: InvoiceOf,
): Promise<PaymentView | undefined> {
  const key = [input.merchantId, input.invoiceId];
  const [[payment], attempts, transactions, [foreign], deliveries, joinedInvoiceIds, contacts] =
    await Promise.all([
      whole.query<PaymentDetailRow>(showPaymentStatement, key),
      whole.query<AttemptRow>(attemptsOf, key),
      whole.query<TransactionRow>(transactionsOf, key),
      whole.query<ForeignRow>(foreignAttemptsOf, key),
      whole.query<DeliveryRow>(deliveriesOf, key),
      joinedInvoices(db, input),
      listContacts(db, input),
    ]);
  if (payment === undefined) return undefined;
  return {
    ...toPaymentSummary(payment),
    transactionId: payment.transaction_id,
    originalPspTransactionId: payment.original_psp_transaction_id,
    psp: payment.psp,
    ...(joinedInvoiceIds.length > 0 && { joinedInvoiceIds }),
    ...present({
      merchantInvoiceId: payment.merchant_invoice_id ?? undefined,
      pspInvoiceId: payment.psp_invoice_id ?? undefined,
      subscriptionId: payment.subscription_id ?? undefined,
      custom: payment.custom ?? undefined,
      decision: payment.decision ?? undefined,
    }),
    attempts: attempts.map((attempt) => toAttemptView(attempt, transactions)),
    ...(foreign !== undefined &&
      foreign.last_at !== null && {
        foreignAttempts: { count: foreign.count, lastAt: foreign.last_at },
      }),
    deliveries: deliveries.map(toDeliveryView),
    ...(contacts.length > 0 && { customerContacts: contacts }),
  };
}

function toAttemptView(row: AttemptRow, transactions: readonly TransactionRow[]): AttemptView {
  return {
    attemptId: row.attempt_id,
    number: row.number,
    status: row.state,
    startedAt: row.started_at,
    ...present({
      endedAt: row.ended_at ?? undefined,
      amountMinor: row.amount_minor ?? undefined,
      currency: row.currency ?? undefined,
      decision: row.decision ?? undefined,
      check: row.check_answer ?? undefined,
      blockedCharges: row.blocked_charges ?? undefined,
    }),
    transactions: transactions
      .filter((transaction) => transaction.attempt_id === row.attempt_id)
      .map(toTransactionView),
  };
}

function toTransactionView(row: TransactionRow): TransactionView {
  return {
    ordinal: row.ordinal,
    status: row.state,
    paymentMethodId: row.payment_method_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    sentAt: row.sent_at,
    ...present({
      pspTransactionId: row.psp_transaction_id ?? undefined,
      networkTransactionId: row.network_transaction_id ?? undefined,
      decline: row.decline ?? undefined,
      reason: row.reason ?? undefined,
      settledAt: row.settled_at ?? undefined,
    }),
  };
}

/** Newest first. Statements differ by their filters, so that each finds its index. */
export async function listPayments(
  db: Queryable,
  input: ListPayments,
): Promise<Page<PaymentSummary>> {
  const after = decodeCursor(input.cursor, 1);
  const filters: readonly (readonly [name: string, left: string, value: unknown])[] = [
    ['state', 'p.state =', input.status],
    ['customer', 'p.customer_id =', input.customerId],
    ['from', 'p.created_at >=', input.createdFrom],
    ['to', 'p.created_at <', input.createdTo],
  ];
  const used = filters.filter(([, , value]) => value !== undefined);
  const values = [input.merchantId, input.limit + 1, ...used.map(([, , value]) => value)];
  const conditions = used.map(([, left], index) => `${left} $${index + 3}`);
  if (input.waitingFor !== undefined) conditions.push(waitsFor('p', input.waitingFor));
  if (after !== undefined) {
    conditions.push(
      `(p.created_at, p.invoice_id) < ($${values.length + 1}, $${values.length + 2})`,
    );
    values.push(...after);
  }
  // Short: PostgreSQL cuts a name at 63 characters, and two of one name would be one.
  const names = used.map(([name]) => name);
  if (input.waitingFor !== undefined) names.push(`for_${input.waitingFor}`);
  names.push(after === undefined ? 'first' : 'next');
  const rows = await db.query<PaymentRow>(
    {
      name: `list_payments_${names.join('_')}`,
      text: `select ${paymentColumns('p')} from payments p
             where ${['p.merchant_id = $1', ...conditions].join(' and ')}
             order by p.created_at desc, p.invoice_id desc limit $2`,
    },
    values,
  );
  return pageOf(rows, input.limit, {
    item: toPaymentSummary,
    keys: (row) => [row.created_at.toISOString(), row.invoice_id],
  });
}
