import { decimalNumber } from '../../domain/money.ts';
import type { PaymentEventBody, TransactionBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { cardTypeOf, codeOf } from './declines.ts';
import { cardOf, moneyOf } from './transaction.ts';

/** The country code that stands for none: ISO 3166 leaves ZZ to its users. Braintree names none. */
const unknownCountry = 'ZZ';

/** A subscription's charge as a billing attempt; undefined where it names no subscription or money. */
export function billingAttempt(input: {
  readonly subscription: Fields;
  readonly transaction: Fields;
  readonly occurredAt: Date;
  readonly success: boolean;
}): PaymentEventBody | undefined {
  const { subscription, transaction, occurredAt, success } = input;
  const id = idOf(subscription.id);
  const invoiceId = billingInvoiceId(subscription, transaction);
  const body = transactionBody({ subscription, transaction, occurredAt, success });
  if (id === undefined || invoiceId === undefined || body === undefined) return undefined;
  const customerId = idOf(fieldsOf(transaction.customer)?.id);
  const productId = idOf(subscription.planId);
  const madeAt = timeOf(subscription.createdAt) ?? occurredAt.toISOString();
  return {
    customer: { id: customerId ?? 'unknown', ...(customerId && { psp_id: customerId }) },
    subscription: {
      id,
      start_date: timeOf(subscription.firstBillingDate) ?? madeAt,
      ...present({ product_id: productId }),
    },
    invoice: {
      id: invoiceId,
      created_at: timeOf(periodStart(subscription, transaction)) ?? body.psp_transaction_created_at,
    },
    transactions: [body],
  };
}

/**
 * The id of what a charge was for. Braintree has no invoices: it is the subscription and the start
 * of the billing period, which Braintree's own retries of that period share.
 */
export function billingInvoiceId(subscription: Fields, transaction: Fields): string | undefined {
  const id = idOf(subscription.id);
  if (id === undefined) return undefined;
  const start = periodStart(subscription, transaction);
  if (start !== undefined) return idOf(`${id}:${start}`);
  const cycle = subscription.currentBillingCycle;
  const isCycle = typeof cycle === 'number' && Number.isInteger(cycle);
  return idOf(`${id}:${isCycle ? `cycle-${cycle}` : idOf(transaction.id)}`);
}

function periodStart(subscription: Fields, transaction: Fields): string | undefined {
  const period = fieldsOf(transaction.subscription);
  return textOf(period?.billingPeriodStartDate) ?? textOf(subscription.billingPeriodStartDate);
}

/** The transaction that the notification is about: the newest of those it lists. */
export function latestTransaction(subscription: Fields | undefined): Fields | undefined {
  const listed = Array.isArray(subscription?.transactions) ? subscription.transactions : [];
  const made = (item: Fields) => textOf(item.createdAt) ?? '';
  let latest: Fields | undefined;
  for (const item of listed.map(fieldsOf)) {
    if (item !== undefined && (latest === undefined || made(item) > made(latest))) latest = item;
  }
  return latest;
}

function transactionBody(input: {
  readonly subscription: Fields;
  readonly transaction: Fields;
  readonly occurredAt: Date;
  readonly success: boolean;
}): TransactionBody | undefined {
  const { subscription, transaction, occurredAt, success } = input;
  const id = idOf(transaction.id);
  const money = moneyOf(transaction);
  if (id === undefined || money === undefined) return undefined;
  const networkTransactionId = idOf(transaction.networkTransactionId);
  const bin = textOf(fieldsOf(transaction.creditCard)?.bin);
  const fingerprint = cardOf(transaction).card?.fingerprint;
  return {
    id,
    psp_transaction_id: id,
    psp: 'braintree',
    acquirer_country: unknownCountry,
    amount: decimalNumber(money),
    currency: money.currency,
    funding_source: fundingSource(transaction),
    payment_method_id:
      methodToken(transaction) ?? idOf(subscription.paymentMethodToken) ?? 'unknown',
    psp_transaction_created_at: timeOf(transaction.createdAt) ?? occurredAt.toISOString(),
    scheme: scheme(transaction),
    success,
    outcome: outcome(transaction),
    ...present({ network_transaction_id: networkTransactionId }),
    ...(bin !== undefined && /^[0-9]{6,8}$/.test(bin) && { bin }),
    ...present({ card_fingerprint: fingerprint }),
  };
}

function outcome(transaction: Fields): TransactionBody['outcome'] {
  const networkCode = textOf(transaction.networkResponseCode);
  const pspText = textOf(transaction.processorResponseText);
  const words = textOf(transaction.networkResponseText) ?? pspText ?? 'unknown';
  const code = codeOf(transaction);
  const responseType = responseTypes[textOf(transaction.processorResponseType) ?? ''];
  return {
    // The network's code leads, since the first decline is read from there.
    raw_response_message: truncatedText(
      networkCode === undefined ? words : `${networkCode} : ${words}`,
    ),
    ...(pspText !== undefined && { psp_response_message: truncatedText(pspText) }),
    ...present({ processor_response_code: code, response_type: responseType }),
  };
}

const responseTypes: Readonly<Record<string, 'soft_decline' | 'hard_decline'>> = {
  soft_declined: 'soft_decline',
  hard_declined: 'hard_decline',
};

function fundingSource(transaction: Fields): string {
  if (transaction.paymentInstrumentType === 'paypal_account') return 'paypal';
  const card = fieldsOf(transaction.creditCard);
  if (card?.prepaid === 'Yes') return 'prepaid';
  if (card?.debit === 'Yes') return 'debit';
  return card?.debit === 'No' ? 'credit' : 'unknown';
}

function scheme(transaction: Fields): string {
  const name = cardTypeOf(transaction) ?? textOf(transaction.paymentInstrumentType) ?? 'unknown';
  return name.toLowerCase().slice(0, 64);
}

function methodToken(transaction: Fields): string | undefined {
  for (const name of ['creditCard', 'paypalAccount', 'applePayCard', 'androidPayCard']) {
    const token = idOf(fieldsOf(transaction[name])?.token);
    if (token !== undefined) return token;
  }
  return undefined;
}

/** A date or a time of Braintree's as RFC 3339; it gives both in UTC. */
function timeOf(value: unknown): string | undefined {
  const text = textOf(value);
  const at = new Date(text ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
