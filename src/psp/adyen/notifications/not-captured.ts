import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { idOf } from '../../answer-fields.ts';
import { isOwnKey } from '../../own-key.ts';
import { toldMoney } from '../amount.ts';
import { broughtNothing } from './brought-nothing.ts';
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
  const { eventCode, merchantReference, originalReference } = item;
  if (!isOwnKey(merchantReference)) return { kind: 'not_used' };
  const refusalReason = item.reason ?? reasons[eventCode];
  const common = { idempotencyKey: merchantReference, refusalReason };
  if (eventCode === 'EXPIRE') {
    return broughtNothing(item, { ...common, told: toldMoney(item.value, item.currency) });
  }
  // A capture is told with the payment that it is of, what expired by the merchant's reference alone as well.
  if (idOf(originalReference) === undefined) return { kind: 'not_used' };
  return broughtNothing(item, common);
}
