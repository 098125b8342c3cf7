import { present } from '../../../domain/present.ts';
import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { idOf } from '../../answer-fields.ts';
import { isOwnKey } from '../../own-key.ts';
import { toldMoney } from '../amount.ts';
import { adyenDecline } from '../declines.ts';
import type { Notification } from './notification.ts';

/** Events by which no money comes of an authorised payment, with words for those that give no reason. */
const reasons: Readonly<Record<string, string>> = {
  CAPTURE_FAILED: 'Capture Failed',
  EXPIRE: 'Not captured before it expired',
};

export function isNotCaptured(eventCode: string): boolean {
  return Object.hasOwn(reasons, eventCode);
}

/**
 * The scheme rejected the capture of an authorised payment, or nobody captured it in time, so no money comes of it
 * (docs.adyen.com/online-payments/capture#failed-capture; Adyen-openapi, Webhooks-v1, EXPIRE). An automatic capture bears
 * the payment's own reference. What a capture's amount says is not held against the charge's; what expired tells the
 * payment's.
 */
export function parseNotCaptured(item: Notification): ParsedEvent {
  const { eventCode, merchantReference, additionalData } = item;
  const pspTransactionId = idOf(item.originalReference);
  const hasExpired = eventCode === 'EXPIRE';
  // A capture is told with the payment that it is of, what expired by the merchant's reference alone as well.
  if (!isOwnKey(merchantReference) || !(hasExpired || pspTransactionId))
    return { kind: 'not_used' };
  const refusalReason = item.reason ?? reasons[eventCode];
  const decline = adyenDecline({ additionalData, ...present({ refusalReason }) });
  return {
    kind: 'charge_settled',
    idempotencyKey: merchantReference,
    result: {
      kind: 'declined',
      ...present({ pspTransactionId }),
      ...(hasExpired && { told: toldMoney(item.value, item.currency) }),
      decline,
    },
  };
}
