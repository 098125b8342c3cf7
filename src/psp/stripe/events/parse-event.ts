import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { isOwnKey } from '../../own-key.ts';
import { stripeDecline } from '../declines.ts';
import { intOf, refOf } from '../fields.ts';
import {
  chargeObjectResult,
  type Definite,
  isUnpaid,
  keyField,
  toldOf,
  transactionIds,
} from '../map.ts';
import { type BillingAttemptDeps, billingAttempt } from './billing-attempt.ts';
import { parseDispute } from './dispute-event.ts';
import type { StripeEvent } from './event.ts';
import { defaultMethodUpdates, methodUpdate } from './method-events.ts';
import { isRefundEvent, parseRefund } from './refund-event.ts';

export type ParsedReading = ParsedEvent | { readonly kind: 'unavailable'; readonly reason: string };

const notUsed: ParsedEvent = { kind: 'not_used' };

/** What an event means; some have to be completed through the API. */
export async function parseEvent(
  deps: BillingAttemptDeps,
  event: StripeEvent,
): Promise<ParsedReading> {
  const { object } = event;
  switch (event.type) {
    case 'invoice.payment_failed':
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
      // What Recoup paid itself comes as a charge, with its key.
      return isOwn(event.requestKey) ? notUsed : billingAttempt(deps, event);
    case 'invoice.voided':
      return invoiceClosed(object, 'The invoice was voided at Stripe.');
    case 'invoice.marked_uncollectible':
      return invoiceClosed(object, 'The invoice was marked uncollectible at Stripe.');
    case 'payment_method.attached':
      return methodUpdate(event, 'user_added');
    case 'payment_method.detached':
      return methodUpdate(event, 'user_removed');
    case 'payment_method.updated':
      return methodUpdate(event, 'user_updated');
    case 'payment_method.automatically_updated':
      return methodUpdate(event, 'network_updated');
    case 'customer.updated':
      return defaultMethodUpdates(event);
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
      return chargeResolved(event, intentOutcome(object));
    case 'charge.succeeded':
    case 'charge.failed':
      return chargeResolved(event, chargeObjectResult(object));
    case 'radar.early_fraud_warning.created':
      return parseDispute(event);
    default:
      if (isRefundEvent(event.type)) return parseRefund(event);
      return event.type.startsWith('charge.dispute.') ? parseDispute(event) : notUsed;
  }
}

function invoiceClosed(invoice: Fields, reason: string): ParsedEvent {
  const invoiceId = idOf(invoice.id);
  return invoiceId === undefined ? notUsed : { kind: 'invoice_closed', invoiceId, reason };
}

/** The key is in the metadata; a payment of an invoice has it as that of its request. */
function chargeResolved(
  { object, requestKey }: StripeEvent,
  result: Definite | undefined,
): ParsedEvent {
  const inMetadata = textOf(fieldsOf(object.metadata)?.[keyField]);
  const idempotencyKey = inMetadata ?? (isOwn(requestKey) ? requestKey : undefined);
  if (idempotencyKey === undefined || result === undefined) return notUsed;
  return { kind: 'charge_settled', idempotencyKey, result };
}

/** What an event's intent came to; its charge is an id only. */
function intentOutcome(intent: Fields): Definite | undefined {
  const id = refOf(intent.latest_charge) ?? idOf(intent.id);
  if (id === undefined) return undefined;
  const charge = fieldsOf(intent.latest_charge);
  const ids = { ...transactionIds(charge, id), ...toldOf(intent) };
  if (intent.status === 'succeeded') {
    // A part of it: the look-up says what it came to, and a person decides.
    const isWhole = intOf(intent.amount_received) === intOf(intent.amount);
    return isWhole ? { kind: 'succeeded', ...ids } : undefined;
  }
  const error = fieldsOf(intent.last_payment_error);
  if (error === undefined || !isUnpaid(intent)) return undefined;
  return { kind: 'declined', ...ids, decline: stripeDecline({ error, charge }) };
}

/**
 * Paying an invoice leaves no metadata: the events of it are known for ours by their request's key.
 */
function isOwn(requestKey: string | undefined): requestKey is string {
  return requestKey !== undefined && isOwnKey(requestKey);
}
