import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { idOf } from '../../answer-fields.ts';
import { isOwnKey } from '../../own-key.ts';
import { adyenDecline } from '../declines.ts';
import type { Notification } from './notification.ts';

/**
 * The scheme rejected the capture of an authorised payment, so no money comes of it
 * (docs.adyen.com/online-payments/capture#failed-capture). An automatic capture bears the payment's own reference.
 * What its amount says is the capture's and not held against the charge's.
 */
export function parseCaptureFailed(item: Notification): ParsedEvent {
  const { merchantReference, reason = 'Capture Failed', additionalData } = item;
  const pspTransactionId = idOf(item.originalReference);
  if (!isOwnKey(merchantReference) || pspTransactionId === undefined) return { kind: 'not_used' };
  const decline = adyenDecline({ additionalData, refusalReason: reason });
  return {
    kind: 'charge_settled',
    idempotencyKey: merchantReference,
    result: { kind: 'declined', pspTransactionId, decline },
  };
}
