import { dayMs } from '../../domain/clock.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import type { EndToEndEvent, LinkEvent } from '../../simulator/end-to-end/end-to-end-world.ts';
import type { Payer } from '../../simulator/payer.ts';
import { binOf } from '../../simulator/play-payment.ts';
import { emailOf } from './world-customers.ts';

const prefix = 'in_world_';

export function invoiceOf(index: number): string {
  return `${prefix}${index}`;
}

/** The payer of an invoice; undefined for one that is none of the world's failures. */
export function payerOf(invoiceId: string): number | undefined {
  const text = invoiceId.startsWith(prefix) ? invoiceId.slice(prefix.length) : '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

export type Report =
  | { readonly path: '/recover/payments'; readonly body: PaymentEventBody }
  | { readonly path: '/recover/payment_method_updates'; readonly body: PaymentMethodUpdateBody };

/** What the merchant of the world tells of an event. */
export function reportOf(event: Exclude<EndToEndEvent, LinkEvent>, at: Date): Report {
  const { payer } = event;
  const { index } = payer;
  switch (event.kind) {
    case 'new_card':
      return {
        path: '/recover/payment_method_updates',
        body: {
          customer_id: `cus_world_${index}`,
          payment_method_id: methodOf(index),
          reason: 'network_updated',
        },
      };
    case 'failed': {
      const { networkCode = '05', message } = event.decline;
      const outcome = {
        raw_response_message: message ?? 'Declined',
        processor_response_code: networkCode,
      };
      const email = emailOf(index);
      return billed(payer, at, { name: `${index}`, success: false, outcome, email });
    }
    case 'paid':
      return billed(payer, at, {
        name: `${index}`,
        success: true,
        // Another card: the payer has paid on a page.
        methodId: `pm_page_${index}`,
        outcome: { raw_response_message: 'Approved' },
      });
    case 'renewed_plan':
      return billed(payer, at, {
        name: `ok_${index}`,
        success: true,
        outcome: { raw_response_message: 'Approved' },
      });
  }
}

function methodOf(name: number | string): string {
  return `pm_world_${name}`;
}

function billed(
  payer: Payer,
  at: Date,
  how: {
    readonly name: string;
    readonly success: boolean;
    readonly methodId?: string;
    /** Dropped as it comes, unless messages are on. */
    readonly email?: string;
    readonly outcome: PaymentEventBody['transactions'][number]['outcome'];
  },
): Report {
  const { name, success, outcome, email, methodId = methodOf(name) } = how;
  const reference = `${name}_${success ? 'paid' : 'failed'}`;
  const body: PaymentEventBody = {
    customer: { id: `cus_world_${name}`, ...present({ email }) },
    subscription: {
      id: `sub_world_${name}`,
      start_date: new Date(at.getTime() - 90 * dayMs).toISOString(),
    },
    invoice: { id: `${prefix}${name}`, created_at: at.toISOString() },
    transactions: [
      {
        id: `txn_${reference}`,
        psp_transaction_id: `ch_${reference}`,
        psp: 'sandbox',
        acquirer_country: 'US',
        issuer_country: 'US',
        amount: decimalNumber({ amountMinor: payer.amountMinor, currency: 'USD' }),
        currency: 'USD',
        funding_source: payer.cardFunding,
        payment_method_id: methodId,
        psp_transaction_created_at: at.toISOString(),
        scheme: payer.network,
        bin: binOf(payer),
        success,
        outcome,
      },
    ],
  };
  return { path: '/recover/payments', body };
}
