import { present } from '../../../domain/present.ts';
import type { ParsedEvent, PspEvent, WebhookReading } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import type { AdyenAccount } from '../credentials.ts';
import { isDispute, parseDispute } from '../dispute.ts';
import { timeOf } from '../time-of.ts';
import { parseAuthorisation } from './authorisation.ts';
import { isEndOfRescue, parseEndOfRescue } from './auto-rescue.ts';
import { isNotCaptured, parseNotCaptured } from './not-captured.ts';
import { isOfRefund, parseRefund } from './refund-settled.ts';
import { type SignedFields, signedFieldsOf } from './signature.ts';
import { accepted } from './webhook-answer.ts';

/**
 * One item of a standard webhook. The signature leaves out the reason, the time, the payment method
 * and all of additionalData: what is read of them is a hint, and moves no money by itself.
 */
export interface Notification extends SignedFields {
  readonly occurredAt: Date;
  readonly reason?: string;
  readonly paymentMethod?: string;
  readonly additionalData: Fields;
}

/** Reads every item of a standard webhook; one without a signature of this account spoils all. */
export function readNotifications(
  account: AdyenAccount,
  items: unknown,
  receivedAt: Date,
): WebhookReading {
  if (!Array.isArray(items)) {
    return { kind: 'malformed', reason: 'notificationItems is not an array.' };
  }
  const events: PspEvent[] = [];
  for (const wrapper of items) {
    const item = fieldsOf(fieldsOf(wrapper)?.NotificationRequestItem);
    const signed = item && signedFieldsOf(account, item);
    if (item === undefined || signed === undefined) {
      return { kind: 'unverified', reason: 'An item has no valid signature of this account.' };
    }
    const occurredAt = timeOf(item.eventDate) ?? receivedAt;
    const parsed = parsedOf(account, notificationOf(item, signed, occurredAt));
    events.push({
      eventId: eventIdOf(signed, parsed),
      type: signed.eventCode,
      occurredAt,
      parsed,
    });
  }
  return { kind: 'read', events, answer: accepted };
}

/**
 * Adyen sends an event again with its reference, name and success unchanged, and no id of its own. All events of
 * a dispute have the dispute's reference, and one name may come with another status, as when first a request for
 * information and then its chargeback was answered (docs.adyen.com, risk-management/disputes-api/dispute-notifications):
 * of these the id tells the state as well.
 */
function eventIdOf(
  { pspReference, eventCode, success }: SignedFields,
  parsed: ParsedEvent,
): string {
  const id = `${pspReference}:${eventCode}:${success}`;
  const dispute = parsed.kind === 'dispute' ? parsed.dispute : undefined;
  return dispute?.kind === 'dispute' ? `${id}:${dispute.stage}:${dispute.status}` : id;
}

function notificationOf(item: Fields, signed: SignedFields, occurredAt: Date): Notification {
  const reason = textOf(item.reason);
  const paymentMethod = textOf(item.paymentMethod);
  return {
    ...signed,
    occurredAt,
    ...present({ reason, paymentMethod }),
    additionalData: fieldsOf(item.additionalData) ?? {},
  };
}

function parsedOf(account: AdyenAccount, item: Notification): ParsedEvent {
  // A webhook of the company account tells of its other merchant accounts too.
  if (item.merchantAccountCode !== account.merchantAccount) return { kind: 'not_used' };
  if (item.eventCode === 'AUTHORISATION') return parseAuthorisation(item);
  if (isNotCaptured(item.eventCode)) return parseNotCaptured(item);
  if (isEndOfRescue(item.eventCode)) return parseEndOfRescue(item);
  if (item.eventCode === 'RECURRING_CONTRACT') return parseStoredMethod(item);
  if (isOfRefund(item.eventCode)) return parseRefund(item);
  return isDispute(item.eventCode) ? parseDispute(item) : { kind: 'not_used' };
}

/** A payment method was stored: its id is the event's own reference. */
function parseStoredMethod({ success, pspReference, additionalData }: Notification): ParsedEvent {
  const shopper =
    idOf(additionalData['recurring.shopperReference']) ?? idOf(additionalData.shopperReference);
  const paymentMethodId = idOf(pspReference);
  if (!success || shopper === undefined || paymentMethodId === undefined) {
    return { kind: 'not_used' };
  }
  return {
    kind: 'payment_method_updates',
    updates: [
      { psp_customer_id: shopper, payment_method_id: paymentMethodId, reason: 'user_added' },
    ],
  };
}
