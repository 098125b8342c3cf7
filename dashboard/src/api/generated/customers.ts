// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PaymentMethodJson, PaymentSummaryJson } from './payments.ts';

/** A customer's account at a merchant, as far as it was reported to Recoup. */
export type CustomerJson = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  readonly customer_id: string;
  /** By currency, that of most payments first. */
  readonly totals: readonly CustomerTotalJson[];
  /** The newest 200. */
  readonly payments: readonly PaymentSummaryJson[];
  /** Payment methods, removed ones too. */
  readonly methods: readonly CustomerMethodJson[];
  /** The newest 200, of all of the payments. */
  readonly attempts: readonly CustomerAttemptJson[];
  /** Of the charges of the customer's payments. */
  readonly disputes: readonly CustomerDisputeJson[];
};

export type CustomerTotalJson = {
  readonly currency: string;
  /** Failed payments that were reported. */
  readonly payments: number;
  readonly failed_amount: number;
  readonly recovered_amount: number;
  /** Still under recovery. */
  readonly open_amount: number;
};

export type CustomerMethodJson = PaymentMethodJson & {
  /** When it was first seen. */
  readonly since: string;
  readonly last_change?: MethodChangeJson;
};

export type MethodChangeJson = {
  readonly reason: string;
  /** When. */
  readonly at: string;
};

export type CustomerAttemptJson = {
  readonly invoice_id: string;
  readonly number: number;
  readonly state: string;
  /** When it began. */
  readonly at: string;
  readonly amount: number;
  readonly currency: string;
  /** The method charged last. */
  readonly payment_method_id?: string;
  /** Of a decline. */
  readonly code?: string;
};

export type CustomerDisputeJson = {
  readonly id: string;
  readonly psp_dispute_id: string;
  readonly state: string;
  readonly invoice_id: string;
  /** When it was opened. */
  readonly opened_at: string;
  readonly reason?: string;
  readonly amount?: number;
  readonly currency?: string;
  /** Until when it can be answered. */
  readonly respond_by?: string;
};
