import { currencyExponent } from '../../../domain/money.ts';
import type { paymentJson, paymentSummaryJson } from '../../../http/views/payment-shape.ts';
import { details, table, time } from '../../table.ts';

type OfMerchant = { readonly merchant_id: string };
export type PaymentSummary = ReturnType<typeof paymentSummaryJson> & OfMerchant;
export type Payment = ReturnType<typeof paymentJson> & OfMerchant;

/** Payments as a table, the money first. */
export function paymentTable(payments: readonly PaymentSummary[]): string {
  return table(
    payments,
    [
      { head: 'AMOUNT', text: (payment) => money(payment), align: 'right' },
      { head: 'STATUS', text: state },
      { head: 'INVOICE', text: (payment) => payment.invoice_id },
      { head: 'CUSTOMER', text: (payment) => payment.customer_id },
      { head: 'MERCHANT', text: (payment) => payment.merchant_id },
      { head: 'TRIES', text: (payment) => payment.attempt_count.toString(), align: 'right' },
      { head: 'NEXT TRY', text: (payment) => time(payment.next_attempt_at) },
      { head: 'FAILED', text: (payment) => time(payment.failed_at) },
    ],
    'There are no such payments.',
  );
}

/** One payment as a story: how it stands and why, its attempts, its webhooks. */
export function paymentStory(payment: Payment): string {
  return [head(payment), attempts(payment), deliveries(payment)].join('\n\n');
}

function head(payment: Payment): string {
  const stop = [payment.stop_reason, payment.stop_detail].filter((part) => part !== undefined);
  return details([
    ['invoice', payment.invoice_id],
    ['amount', money(payment)],
    ['status', state(payment)],
    ['stopped because', stop.length === 0 ? undefined : stop.join(': ')],
    ['merchant', payment.merchant_id],
    ['customer', payment.customer_id],
    ['psp', payment.psp],
    ['failed', time(payment.failed_at)],
    ['next try', time(payment.next_attempt_at)],
    ['because', because(payment.decision)],
    ['window ends', time(payment.window_ends_at)],
    ['charged by others', foreign(payment)],
  ]);
}

function state({ status, waiting_for: wait, held_by: hold }: PaymentSummary): string {
  if (hold === 'incident') return 'frozen by an incident';
  if (hold === 'set_aside') return 'set aside';
  return wait === 'customer' ? 'waiting for the customer' : status;
}

function foreign({ foreign_attempts: of }: Payment): string | undefined {
  if (of === undefined) return undefined;
  return `${of.count === 1 ? 'once' : `${of.count} times`}, last ${time(of.last_at)}`;
}

function attempts(payment: Payment): string {
  return table(
    payment.attempts.flatMap(attemptRows),
    [
      { head: 'TRY', text: (row) => row.number, align: 'right' },
      { head: 'STARTED', text: (row) => row.started },
      { head: 'RESULT', text: (row) => row.result },
      { head: 'METHOD', text: (row) => row.method },
      { head: 'PSP TRANSACTION', text: (row) => row.psp },
      { head: 'WHY', text: (row) => row.why },
    ],
    'Not tried yet.',
  );
}

function deliveries(payment: Payment): string {
  return table(
    payment.deliveries,
    [
      { head: 'EVENT', text: (delivery) => delivery.event_id },
      { head: 'TYPE', text: (delivery) => delivery.type },
      { head: 'STATUS', text: (delivery) => delivery.status },
      { head: 'TRIES', text: (delivery) => delivery.tries.toString(), align: 'right' },
      { head: 'NEXT TRY', text: (delivery) => time(delivery.next_attempt_at) },
    ],
    'No webhooks yet.',
  );
}

interface AttemptRow {
  readonly number?: string;
  readonly started?: string | undefined;
  readonly result: string;
  readonly method?: string;
  readonly psp?: string | undefined;
  readonly why?: string | undefined;
}

/** A row for the attempt, or one for each charge that it made or was refused. */
function attemptRows(attempt: Payment['attempts'][number]): readonly AttemptRow[] {
  const number = attempt.number.toString();
  const started = time(attempt.started_at);
  const refused = attempt.blocked_charges ?? [];
  if (attempt.transactions.length + refused.length === 0) {
    return [{ number, started, result: attempt.status }];
  }
  const charged = attempt.transactions.map((transaction) => ({
    number,
    started,
    result: transaction.status,
    method: transaction.payment_method_id,
    psp: transaction.psp_transaction_id,
    why: chargeText(transaction),
  }));
  return [...charged, ...refused.map((refusal) => ({ number, started, ...refusalRow(refusal) }))];
}

/** What the issuer said, or why the charge was not made or its outcome is not known. */
function chargeText({ decline, reason }: Payment['attempts'][number]['transactions'][number]) {
  return decline === undefined ? reason : `${decline.category} (${decline.code})`;
}

/** A charge that a network's rule refused; the rule stands where a decline would. */
function refusalRow(refusal: Readonly<Record<string, unknown>>): AttemptRow {
  const until = typeof refusal.until === 'string' ? ` until ${time(refusal.until)}` : '';
  return {
    result: 'blocked',
    method: String(refusal.payment_method_id),
    why: `${String(refusal.rule)}${until}`,
  };
}

function because(decision: Payment['decision']): string | undefined {
  const words = decision?.because;
  return typeof words === 'string' ? words : undefined;
}

function money(payment: { readonly amount: number; readonly currency: string }): string {
  return `${payment.amount.toFixed(currencyExponent(payment.currency))} ${payment.currency}`;
}
