import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { isOwnKey } from '../../own-key.ts';
import { broughtNothing } from './brought-nothing.ts';
import type { Notification } from './notification.ts';

/** Each by the `success` with which it says that Adyen tries no more and got nothing. */
const ends: Readonly<Record<string, boolean>> = { AUTORESCUE: false, CANCEL_AUTORESCUE: true };

export function isEndOfRescue(eventCode: string): boolean {
  return Object.hasOwn(ends, eventCode);
}

/**
 * Auto Rescue has ended without the money, or was called off. This may be the only word of it: where the time for it ran
 * out, the last try still said that another was to come (Adyen-openapi, Webhooks-v1, AUTORESCUE and CANCEL_AUTORESCUE).
 * A rescue that got the money has an AUTHORISATION, which settles the charge.
 */
export function parseEndOfRescue(item: Notification): ParsedEvent {
  const { eventCode, success, merchantReference, reason = eventCode } = item;
  if (!isOwnKey(merchantReference) || success !== ends[eventCode]) return { kind: 'not_used' };
  return broughtNothing(item, { idempotencyKey: merchantReference, refusalReason: reason });
}
