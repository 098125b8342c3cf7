import type { RefundRequest, RefundResult } from '../../../recovery/psp-ports.ts';
import { fieldsOf, idOf } from '../../answer-fields.ts';
import { stripeAmount } from '../amounts.ts';
import type { StripeClient } from '../client.ts';
import { chargeFailure } from '../failures.ts';

/** Gives a charge back. Stripe answers the same key with what became of it (docs.stripe.com/api/refunds). */
export async function refundStripe(
  { client, timeoutMs }: { readonly client: StripeClient; readonly timeoutMs: number },
  request: RefundRequest,
): Promise<RefundResult> {
  const amount = stripeAmount(request);
  if (amount.kind === 'not_taken') return { kind: 'refused', reason: amount.reason };
  const { pspTransactionId: id, idempotencyKey } = request;
  const of = id.startsWith('pi_') ? { payment_intent: id } : { charge: id };
  const sent = await client.ask(timeoutMs, (stripe, options) =>
    stripe.refunds.create({ ...of, amount: amount.amount }, { ...options, idempotencyKey }),
  );
  if (sent.kind !== 'answered') {
    const { kind, reason } = chargeFailure(sent);
    return { kind: kind === 'not_made' ? 'refused' : 'unknown', reason };
  }
  const refund = fieldsOf(sent.value);
  const refundId = idOf(refund?.id);
  if (refundId === undefined) {
    return { kind: 'unknown', reason: 'Stripe gave an answer that cannot be understood' };
  }
  switch (refund?.status) {
    case 'succeeded':
      return { kind: 'refunded', refundId };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', refundId };
    case 'failed':
    case 'canceled':
      return { kind: 'refused', reason: 'the refund failed at Stripe' };
    default:
      return { kind: 'unknown', reason: 'the refund has a status that nobody knows' };
  }
}
