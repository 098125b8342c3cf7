import type { Decline } from './decline.ts';
import type { Psp } from './psps.ts';
import type { AttemptState, PaymentState, PspTransactionState, StopReason } from './states.ts';

/** A JSON value, for what merchants pass through us unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A failed payment under recovery: one invoice of one merchant. */
export interface Payment {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly pspCustomerId?: string;
  readonly subscriptionId?: string;
  /** The merchant's id of the failed transaction. */
  readonly transactionId: string;
  /** The PSP's id of the failed transaction, as the merchant passed it. */
  readonly originalPspTransactionId: string;
  readonly psp: Psp;
  readonly amountMinor: number;
  readonly currency: string;
  readonly custom?: JsonObject;
  readonly state: PaymentState;
  readonly stopReason?: StopReason;
  /** The merchant's own words where the merchant stopped it. */
  readonly stopDetail?: string;
  readonly failedAt: Date;
  readonly windowEndsAt: Date;
  readonly nextAttemptAt?: Date;
  /** Tries that reached a PSP, or may have. */
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One charge at the PSP, within an attempt. */
export interface PspTransaction {
  readonly attemptId: string;
  /** 1 for the attempt's first method. */
  readonly ordinal: number;
  readonly state: PspTransactionState;
  readonly paymentMethodId: string;
  readonly idempotencyKey: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly pspTransactionId?: string;
  readonly networkTransactionId?: string;
  readonly decline?: Decline;
  readonly sentAt: Date;
  readonly settledAt?: Date;
}

/** One retry, as history: what the next plan may learn from. */
export interface Attempt {
  readonly attemptId: string;
  readonly number: number;
  readonly state: AttemptState;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly transactions: readonly PspTransaction[];
}
