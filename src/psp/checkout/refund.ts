import type { RefundRequest, RefundResult } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../answer-fields.ts';
import { checkoutAmount } from './amount.ts';
import type { CheckoutClient } from './client.ts';
import { reasonOf } from './map.ts';
import { isReferenceOf, referenceOf } from './reference.ts';

/**
 * Gives a payment back (checkout.com/docs, refund a payment). Checkout.com remembers a key for a day
 * alone, so the payment's own actions are asked first whether a refund has our reference.
 */
export async function refundCheckout(
  client: Pick<CheckoutClient, 'actions' | 'refund'>,
  request: RefundRequest,
): Promise<RefundResult> {
  const { pspTransactionId: paymentId, idempotencyKey } = request;
  const reference = referenceOf(idempotencyKey);
  const amount = checkoutAmount(request);
  if ('fault' in amount) return { kind: 'refused', reason: amount.fault };
  if (!/^\w+$/.test(paymentId)) {
    return { kind: 'refused', reason: 'Checkout.com has no payment with such an id.' };
  }
  const read = await client.actions(paymentId);
  if (read.kind !== 'answered') return notDone(read);
  if (!Array.isArray(read.value)) return notUnderstood;
  const earlier = read.value
    .map((action) => fieldsOf(action) ?? {})
    .find((action) => action.type === 'Refund' && isReferenceOf(action.reference, idempotencyKey));
  if (earlier !== undefined) return recordedRefund(earlier);
  const sent = await client.refund(paymentId, { amount: amount.units, reference }, idempotencyKey);
  if (sent.kind !== 'answered') return notDone(sent);
  const answer = fieldsOf(sent.value);
  const refundId = idOf(answer?.action_id);
  return refundId !== undefined && isReferenceOf(answer?.reference, idempotencyKey)
    ? { kind: 'pending', refundId }
    : notUnderstood;
}

function recordedRefund(action: Fields): RefundResult {
  const refundId = idOf(action.id);
  if (refundId === undefined) return notUnderstood;
  if (action.approved === true) return { kind: 'refunded', refundId };
  return action.approved === false
    ? { kind: 'refused', reason: 'Checkout.com declined the refund.' }
    : { kind: 'pending', refundId };
}

/** 403: nothing is left to refund, or the key may not; 429 may mean a refund with this key under way. */
function notDone(sent: Parameters<typeof reasonOf>[0]): RefundResult {
  const isRefused = sent.kind === 'refused' && [400, 401, 403, 404].includes(sent.status);
  return { kind: isRefused ? 'refused' : 'unknown', reason: reasonOf(sent) };
}

const notUnderstood: RefundResult = {
  kind: 'unknown',
  reason: 'Checkout.com gave an answer that cannot be understood',
};
