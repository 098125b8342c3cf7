import type { UpdateReason } from '../../../domain/payment-event.ts';
import type { ParsedEvent, PspWebhook, WebhookReading } from '../../../recovery/psp-ports.ts';
import { codeOf, type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import type { JsonWebhook } from '../../read-json-webhook.ts';
import type { AdyenAccount } from '../credentials.ts';
import { timeOf } from '../time-of.ts';
import { isBodySigned } from './signature.ts';
import { accepted } from './webhook-answer.ts';

/**
 * What the events of a token's life mean. A shopper who gives a new card makes a new token; where a
 * token itself changes, a card network's updater has brought new card data. Source: docs.adyen.com,
 * api-explorer/Tokenization-webhooks.
 */
const reasons: Readonly<Record<string, UpdateReason>> = {
  'recurring.token.created': 'user_added',
  'recurring.token.updated': 'network_updated',
  'recurring.token.disabled': 'user_removed',
};

/** Reads an event of a token's life, signed as a whole in the header `HmacSignature`. */
export function readTokenEvent(
  account: AdyenAccount,
  delivery: PspWebhook,
  { text, body }: Extract<JsonWebhook, { kind: 'json' }>,
): WebhookReading {
  if (!isBodySigned(account, text, delivery.headers.hmacsignature)) {
    return { kind: 'unverified', reason: 'The body has no valid signature of this account.' };
  }
  const type = codeOf(body.type);
  const id = idOf(body.eventId);
  // Other webhooks are signed in the same way, such as notices of a changed bank account: they have no id to be noted
  // by and nothing in them is used, but a refusal would have Adyen send them for a month.
  if (type !== undefined && body.eventId === undefined && !type.startsWith('recurring.token.')) {
    return { kind: 'read', events: [], answer: accepted };
  }
  if (type === undefined || id === undefined) {
    return { kind: 'malformed', reason: 'The event has no type or no id.' };
  }
  const event = {
    // One payment can store a token and change it: the id names the payment, not the event.
    eventId: `${id}:${type}`,
    type,
    occurredAt: timeOf(body.createdAt) ?? delivery.receivedAt,
    parsed: parsedOf(account, type, fieldsOf(body.data) ?? {}),
  };
  return { kind: 'read', events: [event], answer: accepted };
}

function parsedOf(account: AdyenAccount, type: string, data: Fields): ParsedEvent {
  const reason = Object.hasOwn(reasons, type) ? reasons[type] : undefined;
  const shopper = idOf(data.shopperReference);
  const paymentMethodId = idOf(data.storedPaymentMethodId);
  const isOurs = data.merchantAccount === account.merchantAccount;
  if (reason === undefined || shopper === undefined || paymentMethodId === undefined || !isOurs) {
    return { kind: 'not_used' };
  }
  return {
    kind: 'payment_method_updates',
    updates: [{ psp_customer_id: shopper, payment_method_id: paymentMethodId, reason }],
  };
}
