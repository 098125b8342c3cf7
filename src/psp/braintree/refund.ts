import { decimalText } from '../../domain/money.ts';
import type { RefundRequest, RefundResult } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../answer-fields.ts';
import type { Watched } from '../watched-call.ts';
import type { BraintreeClient, SaleAnswer } from './client.ts';
import { reasonOf } from './map.ts';
import { moneyOf } from './transaction.ts';

/** Until it is settled a transaction is voided, and only as a whole; after that it is refunded. */
const voidable: readonly unknown[] = [
  'authorized',
  'submitted_for_settlement',
  'settlement_pending',
];
const refundable: readonly unknown[] = ['settling', 'settled'];

/**
 * Gives a transaction back. A refund is a transaction of its own with our key as its order id; refunds
 * know no API request key, so those that the transaction names are asked for ours first.
 */
export async function refundBraintree(
  client: Pick<BraintreeClient, 'find' | 'refund' | 'void'>,
  request: RefundRequest,
): Promise<RefundResult> {
  const { pspTransactionId: id, idempotencyKey } = request;
  const read = await client.find(id);
  if (read.kind !== 'answered') return notDone(read);
  const transaction = fieldsOf(read.value) ?? {};
  const money = moneyOf(transaction);
  if (transaction.id !== id || money === undefined) return notUnderstood;
  if (money.currency !== request.currency || request.amountMinor > money.amountMinor) {
    return { kind: 'refused', reason: 'The transaction is over less, or in another currency.' };
  }
  // Nothing was taken: whoever voided it gave the whole back.
  if (transaction.status === 'voided') return { kind: 'refunded', refundId: id };
  const isWhole = request.amountMinor === money.amountMinor;
  if (voidable.includes(transaction.status)) {
    const reason = 'Before it is settled a transaction can be given back only as a whole.';
    if (!isWhole) return { kind: 'refused', reason };
    return madeBy(await client.void(id), { id }, voidResult);
  }
  if (!refundable.includes(transaction.status)) {
    return { kind: 'refused', reason: 'No money of this transaction was taken.' };
  }
  const earlier = await earlierRefund(client, transaction, idempotencyKey);
  if (earlier !== undefined) return earlier;
  const amount = decimalText(request);
  const sent = await client.refund(id, { amount, orderId: idempotencyKey });
  return madeBy(sent, { orderId: idempotencyKey }, refundResult);
}

async function earlierRefund(
  client: Pick<BraintreeClient, 'find'>,
  { refundIds }: Fields,
  orderId: string,
): Promise<RefundResult | undefined> {
  for (const refundId of Array.isArray(refundIds) ? refundIds : []) {
    const read = await client.find(String(refundId));
    if (read.kind !== 'answered') return { kind: 'unknown', reason: reasonOf(read) };
    const refund = fieldsOf(read.value) ?? {};
    if (refund.orderId === orderId) return refundResult(refund);
  }
  return undefined;
}

/** What a void or a refund came to; the transaction in its answer must be the one asked for. */
function madeBy(
  sent: Watched<SaleAnswer>,
  asked: { readonly id?: string; readonly orderId?: string },
  resultOf: (transaction: Fields) => RefundResult,
): RefundResult {
  if (sent.kind !== 'answered') return notDone(sent);
  const { success, transaction: made } = sent.value;
  const transaction = fieldsOf(made);
  if (transaction === undefined) {
    const isRefused = success === false && sent.status === 422;
    return isRefused
      ? { kind: 'refused', reason: 'Braintree refused to give the transaction back.' }
      : notUnderstood;
  }
  const isOther = Object.entries(asked).some(([name, value]) => transaction[name] !== value);
  return isOther ? notUnderstood : resultOf(transaction);
}

/** The sale itself, taken back before its money was. */
function voidResult(sale: Fields): RefundResult {
  const refundId = idOf(sale.id);
  return refundId !== undefined && sale.status === 'voided'
    ? { kind: 'refunded', refundId }
    : notUnderstood;
}

function refundResult({ id, status }: Fields): RefundResult {
  const refundId = idOf(id);
  if (refundId === undefined) return notUnderstood;
  switch (status) {
    case 'settled':
      return { kind: 'refunded', refundId };
    case 'submitted_for_settlement':
    case 'settling':
    case 'settlement_pending':
      return { kind: 'pending', refundId };
    case 'processor_declined':
    case 'gateway_rejected':
    case 'failed':
    case 'settlement_declined':
      return { kind: 'refused', reason: 'The refund failed at Braintree.' };
    case 'voided':
      return { kind: 'refused', reason: 'The refund was taken back at Braintree.' };
    default:
      return { kind: 'unknown', reason: 'the refund has a status that nobody knows' };
  }
}

function notDone(sent: Exclude<Watched<unknown>, { kind: 'answered' }>): RefundResult {
  const isRefused = sent.kind === 'refused' && [401, 403, 404].includes(sent.status);
  return { kind: isRefused ? 'refused' : 'unknown', reason: reasonOf(sent) };
}

const notUnderstood: RefundResult = {
  kind: 'unknown',
  reason: 'Braintree gave an answer that cannot be understood',
};
