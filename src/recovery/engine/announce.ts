import { newId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { Random } from '../../domain/random.ts';
import { isFinal, type PaymentState } from '../../domain/states.ts';
import type { NewEvent, OpenTransaction, PaymentContext } from '../engine-ports.ts';

/**
 * The retry-result event of an attempt that reached the PSP. Its body is frozen here: every send
 * carries these bytes, and `timestamp` is the time of this writing.
 */
export function retryResult(
  deps: { readonly random: Random },
  input: {
    readonly payment: PaymentContext;
    readonly attemptId: string;
    readonly transactions: readonly OpenTransaction[];
    readonly at: Date;
  },
): NewEvent {
  const { payment, attemptId, at } = input;
  const reached = input.transactions.filter(
    (transaction) => transaction.state === 'succeeded' || transaction.state === 'declined',
  );
  const { currency } = payment;
  const tried = reached.at(-1)?.amountMinor ?? payment.amountMinor;
  const body = {
    timestamp: at.toISOString(),
    service_id: attemptId,
    customer_id: payment.customerId,
    subscription_id: payment.subscriptionId,
    invoice_id: payment.merchantInvoiceId ?? payment.invoiceId,
    transaction_id: payment.transactionId,
    original_psp_transaction_id: payment.originalPspTransactionId,
    psp_transactions: reached.map((transaction) => ({
      psp_transaction_id: transaction.pspTransactionId,
      network_transaction_id: transaction.networkTransactionId,
      merchant_payment_method_id: transaction.paymentMethodId,
      success: transaction.state === 'succeeded',
    })),
    original_amount: decimalNumber({ amountMinor: payment.amountMinor, currency }),
    amount_collected: decimalNumber({ amountMinor: tried, currency }),
    currency,
    success: reached.some((transaction) => transaction.state === 'succeeded'),
    custom: payment.custom,
  };
  const eventId = newId(deps.random, 'evt');
  return { eventId, type: 'retry_result', attemptId, body: JSON.stringify(body) };
}

/** The end_of_dunning event, for merchants that ask for it, when a payment reaches its last state. */
export function endOfDunning(
  deps: { readonly random: Random },
  input: {
    readonly payment: PaymentContext;
    readonly merchant: Merchant;
    readonly state: PaymentState;
    readonly at: Date;
  },
): readonly NewEvent[] {
  const { payment, merchant, state, at } = input;
  // One that was joined to another recovery of its debt is no end of it.
  if (!merchant.endOfDunning || !isFinal(state) || payment.stopReason === 'joined') return [];
  const body = {
    timestamp: at.toISOString(),
    invoice_id: payment.merchantInvoiceId ?? payment.invoiceId,
    recovered: state === 'recovered',
    custom: payment.custom,
  };
  const eventId = newId(deps.random, 'evt');
  return [{ eventId, type: 'end_of_dunning', body: JSON.stringify(body) }];
}
