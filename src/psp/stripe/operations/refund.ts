import type Stripe from 'stripe';
import type { RefundRequest, RefundResult } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import { stripeAmount } from '../amounts.ts';
import type { StripeClient } from '../client.ts';
import { chargeFailure, type Failure } from '../failures.ts';
import { pageOf } from '../list-page.ts';
import { carriesKey, keyField } from '../map.ts';

interface RefundDeps {
  readonly client: StripeClient;
  readonly timeoutMs: number;
}

/** The charge, or the intent, that a refund is of. */
type Refunded = Pick<Stripe.RefundCreateParams, 'charge' | 'payment_intent'>;

/**
 * Gives a charge back. Stripe answers the same key with what became of it (docs.stripe.com/api/refunds),
 * for a day: after it a charge that is given back already is asked whether that was by a refund of ours.
 */
export async function refundStripe(
  deps: RefundDeps,
  request: RefundRequest,
): Promise<RefundResult> {
  const amount = stripeAmount(request);
  if (amount.kind === 'not_taken') return { kind: 'refused', reason: amount.reason };
  const { pspTransactionId: id, idempotencyKey } = request;
  const of: Refunded = id.startsWith('pi_') ? { payment_intent: id } : { charge: id };
  const metadata = { [keyField]: idempotencyKey };
  const sent = await deps.client.ask(deps.timeoutMs, (stripe, options) =>
    stripe.refunds.create(
      { ...of, amount: amount.amount, metadata },
      { ...options, idempotencyKey },
    ),
  );
  if (sent.kind === 'answered') return resultOf(fieldsOf(sent.value));
  const isOver = sent.kind === 'refused' && sent.error.code === 'charge_already_refunded';
  const earlier = isOver ? await earlierRefund(deps, of, idempotencyKey) : undefined;
  return earlier ?? failed(sent);
}

/** What became of the refund with our key; undefined where there is none. */
async function earlierRefund(
  { client, timeoutMs }: RefundDeps,
  of: Refunded,
  idempotencyKey: string,
): Promise<RefundResult | undefined> {
  const page = pageOf(
    await client.ask(timeoutMs, (stripe, options) =>
      stripe.refunds.list({ ...of, limit: 100 }, options),
    ),
  );
  if (page.kind === 'unknown') return page;
  const own = page.items.find((refund) => carriesKey(refund, idempotencyKey));
  return own && resultOf(own);
}

function failed(failure: Failure): RefundResult {
  const { kind, reason } = chargeFailure(failure);
  return { kind: kind === 'not_made' ? 'refused' : 'unknown', reason };
}

function resultOf(refund: Fields | undefined): RefundResult {
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
