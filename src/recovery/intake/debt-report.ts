import type { DebtReport, ReportChannel, ReportedCharge } from '../../domain/debts/debt-names.ts';
import { pspInvoiceIdOf } from '../../domain/debts/psp-invoices.ts';
import { invariant } from '../../domain/errors.ts';
import { minorFromDecimal } from '../../domain/money.ts';
import type { PaymentEventBody, TransactionBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';

export interface ReportedBy {
  readonly merchantId: string;
  readonly channel: ReportChannel;
  /** The PSP's own invoice, where its webhook named it. */
  readonly pspInvoiceId?: string;
}

/** What a billing event says of which debt it is of. */
export function debtReport(by: ReportedBy, body: PaymentEventBody): DebtReport {
  const [first] = body.transactions;
  invariant(first !== undefined, 'an event has a transaction');
  const { psp } = first;
  const { amountMinor, currency } = chargeOf(first);
  const pspInvoiceId = by.pspInvoiceId ?? pspInvoiceIdOf(psp, body.invoice.id);
  const { billing } = body.subscription;
  return {
    merchantId: by.merchantId,
    channel: by.channel,
    invoiceId: body.invoice.id,
    invoiceCreatedAt: new Date(body.invoice.created_at),
    customerId: body.customer.id,
    subscriptionId: body.subscription.id,
    isDaily: billing?.period === 'day' && (billing.frequency ?? 1) < 2,
    psp,
    amountMinor,
    currency,
    charges: body.transactions.map(chargeOf),
    ...present({ pspInvoiceId }),
  };
}

function chargeOf(transaction: TransactionBody): ReportedCharge {
  const { psp, psp_transaction_id: pspTransactionId, currency } = transaction;
  const amount = minorFromDecimal(transaction.amount, currency);
  invariant('amountMinor' in amount, 'an accepted amount is one of its currency');
  const createdAt = new Date(transaction.psp_transaction_created_at);
  return { psp, pspTransactionId, amountMinor: amount.amountMinor, currency, createdAt };
}
