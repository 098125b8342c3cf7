import { present } from '../../../domain/present.ts';
import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { idOf } from '../../answer-fields.ts';
import { isOwnKey } from '../../own-key.ts';
import { toldMoney } from '../amount.ts';
import { billingAttempt } from '../billing-attempt.ts';
import { cardOf } from '../card.ts';
import { adyenDecline, isRescued } from '../declines.ts';
import type { Notification } from './notification.ts';

/** What became of a charge: one of ours by its reference, or one that the merchant made itself. */
export function parseAuthorisation(item: Notification): ParsedEvent {
  if (!isOwnKey(item.merchantReference)) {
    const event = billingAttempt(item);
    return event === undefined ? { kind: 'not_used' } : { kind: 'billing_attempt', event };
  }
  const { success, merchantReference, additionalData, reason, paymentMethod } = item;
  const pspTransactionId = idOf(item.pspReference);
  if (pspTransactionId === undefined) return { kind: 'not_used' };
  const networkTransactionId = idOf(additionalData.networkTxReference);
  const ids = {
    pspTransactionId,
    ...present({ networkTransactionId }),
    ...cardOf(additionalData, paymentMethod),
    told: toldMoney(item.value, item.currency),
  };
  if (success) {
    const result = { kind: 'succeeded', ...ids } as const;
    return { kind: 'charge_settled', idempotencyKey: merchantReference, result };
  }
  if (isRescued(additionalData)) return { kind: 'not_used' };
  const decline = adyenDecline({
    additionalData,
    ...present({ refusalReason: reason, scheme: paymentMethod }),
  });
  const result = { kind: 'declined', ...ids, decline } as const;
  return { kind: 'charge_settled', idempotencyKey: merchantReference, result };
}
