import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import { decimalNumber, maxAmountMinor } from '../../domain/money.ts';
import type { PaymentEventBody, TransactionBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import { type Fields, idOf, textOf } from '../answer-fields.ts';
import { minorFromAdyen } from './amount.ts';
import { cardOf as chargedCardOf } from './card.ts';
import { isRescued, networkCodeOf } from './declines.ts';
import type { Notification } from './notifications/notification.ts';

/**
 * A billing attempt that the merchant's own system made at Adyen, as far as the webhook carries it.
 * Adyen knows no subscriptions and no invoices: the merchant names them in the payment's metadata
 * (`subscription_id`, `invoice_id`, and if it likes `customer_id`, `subscription_start`,
 * `invoice_created_at`), and `merchantOrderReference` may stand for the invoice. Undefined where
 * they, the shopper or the stored method are not named, where the payer was there, where nothing is
 * owed, and where Adyen's own Auto Rescue is going to charge again.
 */
export function billingAttempt(item: Notification): PaymentEventBody | undefined {
  const { additionalData: data } = item;
  const isBilling =
    data.shopperInteraction === 'ContAuth' &&
    (data.recurringProcessingModel ?? 'Subscription') === 'Subscription';
  if (!isBilling || isRescued(data)) return undefined;
  const shopper = shopperOf(data);
  const subscriptionId = idOf(data['metadata.subscription_id']);
  const invoiceId = idOf(data['metadata.invoice_id']) ?? idOf(data.merchantOrderReference);
  const transaction = transactionOf(item);
  if (shopper === undefined || subscriptionId === undefined || invoiceId === undefined) {
    return undefined;
  }
  if (transaction === undefined) return undefined;
  // The attempt itself is the first that is known of the two, where the merchant gives no times.
  const attemptedAt = item.occurredAt.toISOString();
  return {
    customer: { id: idOf(data['metadata.customer_id']) ?? shopper, psp_id: shopper },
    subscription: {
      id: subscriptionId,
      start_date: timeText(data['metadata.subscription_start']) ?? attemptedAt,
    },
    invoice: {
      id: invoiceId,
      created_at: timeText(data['metadata.invoice_created_at']) ?? attemptedAt,
    },
    transactions: [transaction],
  };
}

function shopperOf(data: Fields): string | undefined {
  return (
    idOf(data['recurring.shopperReference']) ??
    idOf(data['tokenization.shopperReference']) ??
    idOf(data.shopperReference)
  );
}

function transactionOf(item: Notification): TransactionBody | undefined {
  const { additionalData: data, currency } = item;
  const pspTransactionId = idOf(item.pspReference);
  const paymentMethodId =
    idOf(data['recurring.recurringDetailReference']) ??
    idOf(data['tokenization.storedPaymentMethodId']);
  const amountMinor = minorFromAdyen(item.value, currency);
  if (pspTransactionId === undefined || paymentMethodId === undefined) return undefined;
  if (amountMinor === undefined || amountMinor === 0 || amountMinor > maxAmountMinor) {
    return undefined;
  }
  const networkTransactionId = idOf(data.networkTxReference);
  return {
    id: idOf(item.merchantReference) ?? pspTransactionId,
    psp_transaction_id: pspTransactionId,
    psp: 'adyen',
    // The webhook does not say where the acquirer is; ZZ is ISO 3166's code for an unknown country.
    acquirer_country: 'ZZ',
    amount: decimalNumber({ amountMinor, currency }),
    currency,
    funding_source: fundingOf(data.fundingSource),
    payment_method_id: paymentMethodId,
    psp_transaction_created_at: item.occurredAt.toISOString(),
    scheme: schemeOf(item.paymentMethod),
    success: item.success,
    outcome: outcomeOf(item),
    ...present({ network_transaction_id: networkTransactionId }),
    ...cardOf(data),
  };
}

function outcomeOf({ success, reason, additionalData }: Notification): TransactionBody['outcome'] {
  const raw = textOf(additionalData.refusalReasonRaw);
  const code = networkCodeOf(additionalData);
  // Of a success the reason holds the authorisation code and digits of the card.
  const words = success ? undefined : reason;
  return {
    raw_response_message: truncatedText(raw ?? words ?? (success ? 'AUTHORISED' : 'unknown')),
    ...(words !== undefined && { psp_response_message: truncatedText(words) }),
    ...present({ processor_response_code: code }),
  };
}

function cardOf(data: Fields): Partial<TransactionBody> {
  const bin = textOf(data.issuerBin) ?? textOf(data.cardBin);
  const country = textOf(data.cardIssuingCountry) ?? textOf(data.issuerCountry);
  const fingerprint = chargedCardOf(data).card?.fingerprint;
  return {
    ...(bin !== undefined && /^\d{6,8}$/.test(bin) && { bin }),
    ...(country !== undefined && /^[A-Za-z]{2}$/.test(country) && { issuer_country: country }),
    ...present({ card_fingerprint: fingerprint }),
  };
}

function schemeOf(paymentMethod: string | undefined): string {
  if (paymentMethod === undefined || paymentMethod.length > 64) return 'unknown';
  return cardNetworkOf(paymentMethod) ?? paymentMethod;
}

/** Adyen's funding sources: docs.adyen.com, api-explorer/Checkout, response additionalData. */
function fundingOf(value: unknown): string {
  const source = typeof value === 'string' ? value.toUpperCase() : '';
  if (source.startsWith('PREPAID')) return 'prepaid';
  if (source === 'CREDIT' || source === 'CHARGE') return 'credit';
  if (source === 'DEBIT') return 'debit';
  return source === '' ? 'unknown' : 'uncategorized';
}

function timeText(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
