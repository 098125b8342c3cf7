import type { JsonObject } from '../../src/domain/payment.ts';
import type { PaymentEventBody, TransactionBody } from '../../src/domain/payment-event.ts';
import type { Psp } from '../../src/domain/psps.ts';

/** When every test world begins. */
export const worldStart = new Date('2026-03-01T12:00:00.000Z');

export interface EventOptions {
  readonly invoiceId?: string;
  readonly customerId?: string;
  readonly pspCustomerId?: string;
  /** One transaction each, in this order. */
  readonly methods?: readonly string[];
  readonly amount?: number;
  readonly currency?: string;
  readonly at?: Date;
  readonly custom?: JsonObject;
  readonly psp?: Psp;
  readonly scheme?: string;
  readonly outcome?: TransactionBody['outcome'];
}

/**
 * Cards of its own for an invoice, which behave as these do. Many invoices on one card use up what
 * its network allows it.
 */
export function cardsOf(
  invoiceId: string,
  methods: readonly string[] = ['pm_sandbox_success'],
): readonly string[] {
  return methods.map((name) => `${name}${name.includes('--') ? '_' : '--'}${invoiceId}`);
}

/** A report of a failed billing attempt: soft, for lack of funds, unless told otherwise. */
export function failedEvent(options: EventOptions = {}): PaymentEventBody {
  return eventOf(options, false);
}

/** A report that the invoice was paid with its last method. */
export function paidEvent(options: EventOptions = {}): PaymentEventBody {
  return eventOf(options, true);
}

function eventOf(options: EventOptions, success: boolean): PaymentEventBody {
  const { invoiceId = 'in_1', customerId = 'cus_1', at = worldStart } = options;
  const methods = options.methods ?? ['pm_sandbox_success'];
  return {
    customer: {
      id: customerId,
      ...(options.pspCustomerId === undefined ? {} : { psp_id: options.pspCustomerId }),
    },
    subscription: { id: `sub_of_${invoiceId}`, start_date: '2026-01-01T00:00:00Z' },
    invoice: { id: invoiceId, created_at: at.toISOString() },
    transactions: methods.map((method, index) => ({
      id: `txn_${invoiceId}_${index + 1}`,
      // The merchant's own charges: a paid one is not the one that failed.
      psp_transaction_id: `ch_${success ? 'paid' : 'failed'}_${invoiceId}_${index + 1}`,
      psp: options.psp ?? 'sandbox',
      acquirer_country: 'US',
      amount: options.amount ?? 12.23,
      currency: options.currency ?? 'USD',
      funding_source: 'CREDIT',
      payment_method_id: method,
      psp_transaction_created_at: at.toISOString(),
      scheme: options.scheme ?? 'Visa',
      success: success && index === methods.length - 1,
      outcome: options.outcome ?? { raw_response_message: '51: insufficient funds' },
    })),
    ...(options.custom === undefined ? {} : { custom: options.custom }),
  };
}
