import { present } from '../../../domain/present.ts';
import { truncatedText } from '../../../domain/truncated-text.ts';
import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { idOf } from '../../answer-fields.ts';
import type { Notification } from './notification.ts';

/** What became of a refund, or of a cancellation in its stead: their `success` says whether it was made. */
const results: readonly string[] = ['REFUND', 'CANCEL_OR_REFUND', 'CANCELLATION'];
/** What had gone well and did not in the end, always with `success` true. */
const failures: readonly string[] = ['REFUND_FAILED', 'REFUNDED_REVERSED'];

export function isOfRefund(eventCode: string): boolean {
  return results.includes(eventCode) || failures.includes(eventCode);
}

/**
 * A refund by the payment that it is of (docs.adyen.com/online-payments/refund). Its `merchantReference` is
 * the one of the refund, its `pspReference` the one that Adyen took the request with.
 */
export function parseRefund(item: Notification): ParsedEvent {
  const { eventCode, success, merchantReference, reason } = item;
  const pspTransactionId = idOf(item.originalReference);
  const refundId = idOf(item.pspReference);
  if (pspTransactionId === undefined || refundId === undefined) return { kind: 'not_used' };
  const isMade = success && results.includes(eventCode);
  const idempotencyKey = idOf(merchantReference);
  const words = reason ?? (isMade ? undefined : eventCode);
  return {
    kind: 'refund_settled',
    pspTransactionId,
    refundId,
    ...present({ idempotencyKey }),
    outcome: isMade ? 'refunded' : 'failed',
    ...(words !== undefined && { reason: truncatedText(words) }),
  };
}
