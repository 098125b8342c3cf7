import { present } from '../../domain/present.ts';
import type { ParsedEvent, WebhookReading } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { isOwnKey } from '../own-key.ts';
import { billingAttempt, billingInvoiceId, latestTransaction } from './billing-attempt.ts';
import type { BraintreeClient } from './client.ts';
import { parseDispute } from './dispute.ts';
import { reasonOf } from './map.ts';
import { moneyOf, retriedIdOf, transactionResult } from './transaction.ts';

export type Parsed = ParsedEvent | Extract<WebhookReading, { kind: 'unavailable' }>;

interface Notified {
  readonly notification: Fields;
  readonly kind: string;
  readonly occurredAt: Date;
}

const notUsed: Parsed = { kind: 'not_used' };

/**
 * What a notification means to Recoup. `subscription_went_past_due` follows an unsuccessful charge
 * that was notified by itself; the daily report of the account updater names a file and no card.
 */
export async function parseNotification(
  deps: { readonly client: BraintreeClient },
  notified: Notified,
): Promise<Parsed> {
  const { notification, kind } = notified;
  if (kind.startsWith('dispute_')) {
    return parseDispute({ ...notified, dispute: fieldsOf(notification.dispute) ?? {} });
  }
  switch (kind) {
    case 'subscription_charged_unsuccessfully':
    case 'subscription_charged_successfully':
    case 'subscription_canceled':
      return parseSubscription(deps, notified);
    case 'transaction_settled':
    case 'transaction_settlement_declined':
    case 'transaction_retried':
      return parseTransaction(deps, kind, fieldsOf(notification.transaction) ?? {});
    case 'refund_failed':
      return parseRefund(deps, fieldsOf(notification.transaction) ?? {});
    case 'payment_method_revoked_by_customer':
      return parseMethod(fieldsOf(notification.revokedPaymentMethodMetadata), 'user_removed');
    case 'payment_method_customer_data_updated':
      return parseCustomerData(notification);
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

async function parseSubscription(
  deps: { readonly client: BraintreeClient },
  { notification, kind, occurredAt }: Notified,
): Promise<Parsed> {
  const subscription = fieldsOf(notification.subscription);
  const latest = latestTransaction(subscription);
  const id = idOf(latest?.id);
  if (subscription === undefined || latest === undefined || id === undefined) return notUsed;
  if (isOwnKey(textOf(latest.orderId) ?? '')) return parseCharge(latest);
  if (kind === 'subscription_canceled') return parseCancelled(subscription, latest);
  const whole = await wholeTransaction(deps, latest, id);
  if ('kind' in whole) return whole;
  const { transaction } = whole;
  // The record may know what the notification left out: that the charge was ours.
  if (isOwnKey(textOf(transaction.orderId) ?? '')) return parseCharge(transaction);
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
): Promise<{ readonly transaction: Fields } | Parsed> {
  if (moneyOf(transaction) !== undefined && textOf(transaction.createdAt) !== undefined) {
    return { transaction };
  }
  return readTransaction(deps, id);
}

async function readTransaction(
  deps: { readonly client: BraintreeClient },
  id: string,
): Promise<{ readonly transaction: Fields } | Parsed> {
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
function parseCancelled(subscription: Fields, latest: Fields): Parsed {
  const invoiceId = billingInvoiceId(subscription, latest);
  if (invoiceId === undefined) return notUsed;
  const reason = 'The subscription was cancelled at Braintree.';
  return { kind: 'invoice_closed', invoiceId, reason };
}

/**
 * A transaction that was settled or not, or by which Braintree itself tried one again that was declined:
 * such a try names the first one, whose order id tells whether it is ours. That a try was declined
 * says nothing while others may follow it.
 */
async function parseTransaction(
  deps: { readonly client: BraintreeClient },
  kind: string,
  transaction: Fields,
): Promise<Parsed> {
  const named = await withOrderId(deps, transaction);
  if ('kind' in named) return named;
  const parsed = parseCharge(named.transaction);
  const isDecline = parsed.kind === 'charge_settled' && parsed.result.kind === 'declined';
  return kind === 'transaction_retried' && isDecline ? notUsed : parsed;
}

/** A refund that was taken and did not go through: the notification may name it by its id alone. */
async function parseRefund(
  deps: { readonly client: BraintreeClient },
  { id, refundedTransactionId }: Fields,
): Promise<Parsed> {
  const refundId = idOf(id);
  if (refundId === undefined) return notUsed;
  const read = await readTransaction(deps, refundId);
  if ('kind' in read) return read;
  const refund = read.transaction;
  const pspTransactionId = idOf(refundedTransactionId) ?? idOf(refund.refundedTransactionId);
  if (pspTransactionId === undefined) return notUsed;
  return {
    kind: 'refund_settled',
    pspTransactionId,
    refundId,
    ...present({ idempotencyKey: idOf(refund.orderId) }),
    outcome: 'failed',
    ...present({ reason: textOf(refund.processorResponseText) }),
  };
}

async function withOrderId(
  deps: { readonly client: BraintreeClient },
  transaction: Fields,
): Promise<{ readonly transaction: Fields } | Parsed> {
  const retried = retriedIdOf(transaction);
  if (retried === undefined || isOwnKey(textOf(transaction.orderId) ?? '')) return { transaction };
  const first = await readTransaction(deps, retried);
  return 'kind' in first
    ? first
    : { transaction: { ...transaction, orderId: first.transaction.orderId } };
}

/** What became of a charge of ours; other transactions are none of our business. */
function parseCharge(transaction: Fields | undefined): Parsed {
  const idempotencyKey = textOf(transaction?.orderId) ?? '';
  if (transaction === undefined || !isOwnKey(idempotencyKey)) return notUsed;
  const result = transactionResult(transaction, { idempotencyKey });
  const isOver = result.kind === 'succeeded' || result.kind === 'declined';
  return isOver ? { kind: 'charge_settled', idempotencyKey, result } : notUsed;
}

function parseCustomerData(notification: Fields): Parsed {
  const updated = fieldsOf(notification.paymentMethodCustomerDataUpdatedMetadata);
  const method = fieldsOf(updated?.paymentMethod);
  const token = idOf(updated?.token) ?? idOf(method?.token);
  return parseMethod({ token, customerId: method?.customerId }, 'network_updated');
}

function parseMethod(
  method: Fields | undefined,
  reason: 'user_removed' | 'network_updated',
): Parsed {
  const token = idOf(method?.token);
  const customerId = idOf(method?.customerId);
  if (token === undefined || customerId === undefined) return notUsed;
  const update = { psp_customer_id: customerId, payment_method_id: token, reason };
  return { kind: 'payment_method_updates', updates: [update] };
}
