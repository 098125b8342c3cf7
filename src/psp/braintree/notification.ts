import type { PspEventMeaning, WebhookReading } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { isOwnKey } from '../own-key.ts';
import { billingAttempt, billingInvoiceId, latestTransaction } from './billing-attempt.ts';
import type { BraintreeClient } from './client.ts';
import { disputeMeaning } from './dispute.ts';
import { reasonOf } from './map.ts';
import { moneyOf, transactionResult } from './transaction.ts';

export type Meaning = PspEventMeaning | Extract<WebhookReading, { kind: 'unavailable' }>;

interface Notified {
  readonly notification: Fields;
  readonly kind: string;
  readonly occurredAt: Date;
}

const notUsed: Meaning = { kind: 'not_used' };

/**
 * What a notification means to Recoup. `subscription_went_past_due` follows an unsuccessful charge
 * that was notified by itself; the daily report of the account updater names a file and no card.
 */
export async function notificationMeaning(
  deps: { readonly client: BraintreeClient },
  notified: Notified,
): Promise<Meaning> {
  const { notification, kind } = notified;
  if (kind.startsWith('dispute_')) {
    return disputeMeaning({ ...notified, dispute: fieldsOf(notification.dispute) ?? {} });
  }
  switch (kind) {
    case 'subscription_charged_unsuccessfully':
    case 'subscription_charged_successfully':
    case 'subscription_canceled':
      return subscriptionMeaning(deps, notified);
    case 'transaction_settled':
    case 'transaction_settlement_declined':
      return chargeMeaning(fieldsOf(notification.transaction));
    case 'payment_method_revoked_by_customer':
      return methodMeaning(fieldsOf(notification.revokedPaymentMethodMetadata), 'user_removed');
    case 'payment_method_customer_data_updated':
      return customerDataMeaning(notification);
    default:
      return notUsed;
  }
}

/** The id of what the notification is about: with its kind and time, the event's own id. */
export function subjectId(notification: Fields): string | undefined {
  const { subscription, transaction, dispute } = notification;
  const subject = [subscription, transaction, dispute].map((item) => idOf(fieldsOf(item)?.id));
  const method =
    fieldsOf(notification.revokedPaymentMethodMetadata) ??
    fieldsOf(notification.paymentMethodCustomerDataUpdatedMetadata);
  return subject.find((id) => id !== undefined) ?? idOf(method?.token);
}

async function subscriptionMeaning(
  deps: { readonly client: BraintreeClient },
  { notification, kind, occurredAt }: Notified,
): Promise<Meaning> {
  const subscription = fieldsOf(notification.subscription);
  const latest = latestTransaction(subscription);
  const id = idOf(latest?.id);
  if (subscription === undefined || latest === undefined || id === undefined) return notUsed;
  if (isOwnKey(textOf(latest.orderId) ?? '')) return chargeMeaning(latest);
  if (kind === 'subscription_canceled') return cancelledMeaning(subscription, latest);
  const whole = await wholeTransaction(deps, latest, id);
  if ('kind' in whole) return whole;
  const { transaction } = whole;
  // The record may know what the notification left out: that the charge was ours.
  if (isOwnKey(textOf(transaction.orderId) ?? '')) return chargeMeaning(transaction);
  const success = kind === 'subscription_charged_successfully';
  const event = billingAttempt({ subscription, transaction, occurredAt, success });
  if (event === undefined) return notUsed;
  return { kind: 'billing_attempt', event, pspInvoiceId: event.subscription.id };
}

/** A transaction with what a billing attempt needs; what a notification left out is asked for. */
async function wholeTransaction(
  deps: { readonly client: BraintreeClient },
  transaction: Fields,
  id: string,
): Promise<{ readonly transaction: Fields } | Meaning> {
  if (moneyOf(transaction) !== undefined && textOf(transaction.createdAt) !== undefined) {
    return { transaction };
  }
  const sent = await deps.client.find(id);
  const found = sent.kind === 'answered' ? fieldsOf(sent.value) : undefined;
  if (found?.id === id) return { transaction: found };
  if (sent.kind === 'refused' && sent.status === 404) return notUsed;
  const why = sent.kind === 'answered' ? 'another transaction came' : reasonOf(sent);
  return { kind: 'unavailable', reason: `The transaction could not be read: ${why}` };
}

/**
 * A cancelled subscription ends the recovery of its last unpaid period: whoever cancelled it,
 * Braintree collects no more, and a charge after a cancellation is a dispute.
 */
function cancelledMeaning(subscription: Fields, latest: Fields): Meaning {
  const invoiceId = billingInvoiceId(subscription, latest);
  if (invoiceId === undefined) return notUsed;
  const reason = 'The subscription was cancelled at Braintree.';
  return { kind: 'invoice_closed', invoiceId, reason };
}

/** What became of a charge of ours; other transactions are none of our business. */
function chargeMeaning(transaction: Fields | undefined): Meaning {
  const idempotencyKey = textOf(transaction?.orderId) ?? '';
  if (transaction === undefined || !isOwnKey(idempotencyKey)) return notUsed;
  const result = transactionResult(transaction, { idempotencyKey });
  const isOver = result.kind === 'succeeded' || result.kind === 'declined';
  return isOver ? { kind: 'charge_settled', idempotencyKey, result } : notUsed;
}

function customerDataMeaning(notification: Fields): Meaning {
  const updated = fieldsOf(notification.paymentMethodCustomerDataUpdatedMetadata);
  const method = fieldsOf(updated?.paymentMethod);
  const token = idOf(updated?.token) ?? idOf(method?.token);
  return methodMeaning({ token, customerId: method?.customerId }, 'network_updated');
}

function methodMeaning(
  method: Fields | undefined,
  reason: 'user_removed' | 'network_updated',
): Meaning {
  const token = idOf(method?.token);
  const customerId = idOf(method?.customerId);
  if (token === undefined || customerId === undefined) return notUsed;
  const update = { psp_customer_id: customerId, payment_method_id: token, reason };
  return { kind: 'payment_method_updates', updates: [update] };
}
