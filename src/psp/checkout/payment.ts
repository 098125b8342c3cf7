import type { ChargedCard } from '../../domain/network-rules/card-attempt.ts';
import { present } from '../../domain/present.ts';
import type { ChargeResult, ToldCharge } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { unknown } from '../charge-results.ts';
import { chargedCard } from '../charged-card.ts';
import { minorFromCheckout } from './amount.ts';
import type { RecordedPayment } from './client.ts';
import { checkoutDecline } from './declines.ts';
import { isReferenceOf } from './reference.ts';

/** What a payment came to; `not_made` is never said of one that exists. */
export type PaymentResult = Exclude<ChargeResult, { kind: 'not_made' }>;

/** The payment that was asked for. */
export interface AskedPayment {
  readonly idempotencyKey: string;
}

const paid: readonly unknown[] = ['Authorized', 'Captured', 'Paid'];
/**
 * Approved, and yet no success: 10100 is held for a person's review and not captured, 10010 is a
 * part of the amount. Source: Checkout.com, docs, API response codes.
 */
const heldCodes: readonly string[] = ['10100', '10010'];

/** What the answer to a charge says. */
export function answeredPayment(payment: Fields | undefined, asked: AskedPayment): PaymentResult {
  const fault = paymentFault(payment, asked);
  if (payment === undefined || fault !== undefined) return unknown(fault ?? 'no payment');
  if (payment.status === 'Declined' && payment.approved === false)
    return declined(payment, payment);
  const code = textOf(payment.response_code) ?? '';
  if (paid.includes(payment.status) && payment.approved === true && isApproval(code)) {
    return { kind: 'succeeded', ...idsOf(payment) };
  }
  const status = textOf(payment.status)?.slice(0, 40) ?? 'none';
  return unknown(
    `the payment has the status ${status} and the code ${code.slice(0, 10) || 'none'}`,
  );
}

/** What Checkout.com's record says: a payment and, newest first, what was done to it. */
export function recordedPayment(record: RecordedPayment, asked: AskedPayment): PaymentResult {
  const { payment, actions } = record;
  const fault = paymentFault(payment, asked);
  if (fault !== undefined) return unknown(fault);
  const authorisation = actions.find((action) => action.type === 'Authorization');
  if (payment.status === 'Declined') return declined(payment, authorisation ?? payment);
  const isCaptured = actions.some((item) => item.type === 'Capture' && item.approved === true);
  const code = textOf(authorisation?.response_code) ?? '';
  if (paid.includes(payment.status) && (isCaptured || isApproval(code))) {
    return { kind: 'succeeded', ...idsOf(payment) };
  }
  const status = textOf(payment.status)?.slice(0, 40) ?? 'none';
  return unknown(
    `the payment has the status ${status} and the code ${code.slice(0, 10) || 'none'}`,
  );
}

function isApproval(code: string): boolean {
  return /^10\d{3}$/.test(code) && !heldCodes.includes(code);
}

export function declined(
  payment: Fields,
  authorisation: Fields,
): Extract<PaymentResult, { kind: 'declined' }> {
  return { kind: 'declined', ...idsOf(payment), decline: checkoutDecline(payment, authorisation) };
}

export function idsOf(payment: Fields): {
  pspTransactionId: string;
  networkTransactionId?: string;
  card?: ChargedCard;
  told?: ToldCharge;
} {
  const networkTransactionId = idOf(payment.scheme_id);
  const source = fieldsOf(payment.source);
  return {
    pspTransactionId: idOf(payment.id) ?? '',
    ...present({ networkTransactionId }),
    ...chargedCard({ fingerprint: source?.fingerprint, scheme: source?.scheme }),
    ...toldOf(payment),
  };
}

/** What Checkout.com says of the payment's money; the mode is its address alone. */
function toldOf({ amount, currency }: Fields): { readonly told?: ToldCharge } {
  if (typeof amount !== 'number' || typeof currency !== 'string') return {};
  const amountMinor = minorFromCheckout(amount, currency);
  return amountMinor === undefined ? {} : { told: { amountMinor, currency } };
}

/** Why a payment is not the one that was asked for; what it is over is told, and judged by whoever asked. */
export function paymentFault(payment: Fields | undefined, asked: AskedPayment): string | undefined {
  if (idOf(payment?.id) === undefined) return 'an answer without a payment';
  if (payment === undefined || !isReferenceOf(payment.reference, asked.idempotencyKey)) {
    return 'the answer is about another payment';
  }
  return toldOf(payment).told === undefined ? 'the payment does not say its amount' : undefined;
}
