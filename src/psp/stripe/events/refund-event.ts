import { present } from '../../../domain/present.ts';
import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { refOf } from '../fields.ts';
import { keyField } from '../map.ts';
import type { StripeEvent } from './event.ts';

const types: readonly string[] = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  // As older accounts are told of the same.
  'charge.refund.updated',
];

export function isRefundEvent(type: string): boolean {
  return types.includes(type);
}

/**
 * What became of a refund (docs.stripe.com/refunds, failed refunds): one that went well may fail weeks
 * later, and its money comes back to the balance.
 */
export function parseRefund({ object, requestKey }: StripeEvent): ParsedEvent {
  const refundId = idOf(object.id);
  const pspTransactionId = refOf(object.charge);
  if (refundId === undefined || pspTransactionId === undefined) return { kind: 'not_used' };
  // What Stripe does to it later follows no request of ours.
  const idempotencyKey = textOf(fieldsOf(object.metadata)?.[keyField]) ?? requestKey;
  const named = {
    kind: 'refund_settled',
    pspTransactionId,
    refundId,
    ...present({ idempotencyKey }),
  } as const;
  switch (object.status) {
    case 'succeeded':
      return { ...named, outcome: 'refunded' };
    case 'failed':
    case 'canceled': {
      const reason = textOf(object.failure_reason) ?? object.status;
      return { ...named, outcome: 'failed', reason };
    }
    default:
      return { kind: 'not_used' };
  }
}
