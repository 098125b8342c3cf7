// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';
import type { PaymentStatusJson } from './payments.ts';

export type ListUnknownChargesQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListUnknownChargesAnswer = {
  readonly items: readonly {
    /** The merchant's id, as its creation answered it. */
    readonly merchant_id: string;
    readonly invoice_id: string;
    /** The attempt's id. */
    readonly service_id: string;
    /** Who was asked to charge. */
    readonly psp: PspJson;
    /** What the processor was sent to know the charge by: look for it there. */
    readonly idempotency_key: string;
    readonly payment_method_id: string;
    readonly psp_customer_id?: string;
    /** In major units. */
    readonly amount: number;
    readonly currency: string;
    /** When it was sent. */
    readonly sent_at: string;
    /** How often the processor was asked what became of it. */
    readonly look_ups: number;
    /** Why it is unknown, as the last look-up. */
    readonly reason?: string;
    /** When the processor is asked again: after seven look-ups once a day, and a person should resolve it; absent when it is asked no more. */
    readonly next_look_up_at?: string;
  }[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ListUnknownChargesItem = ListUnknownChargesAnswer['items'][number];

export type SettleUnknownChargeBody = {
  /** What the processor shows. `not_made` leads to another charge: be certain of it. */
  readonly result: 'succeeded' | 'declined' | 'not_made';
  /** The charge's id at the processor; required for succeeded. */
  readonly psp_transaction_id?: string;
  /** Who saw it where; kept with the charge. */
  readonly reason: string;
};

export type SettleUnknownChargeAnswer = {
  /** The payment's state now. */
  readonly status: PaymentStatusJson;
};
