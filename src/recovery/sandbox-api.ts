import type { PaymentState } from '../domain/states.ts';

/** What the operator may ask of the sandbox besides its clock. */
export interface SandboxApi {
  /** The demo merchant, whose payments are those of batches. */
  readonly merchantId: string;
  /** What payment method ids ask of the sandbox PSP. */
  readonly magicMethods: readonly MagicMethod[];
  /**
   * Reports failed payments of a simulated world to the demo merchant's recovery, as a merchant
   * would. The same seed gives the same payers; each call has invoices of its own.
   */
  submitPayments(input: { readonly count: number; readonly seed: number }): Promise<BatchOf>;
}

/** An id of the sandbox PSP and what it does. `<…>` stands for what a caller fills in. */
export interface MagicMethod {
  readonly id: string;
  readonly examples: readonly string[];
  readonly meaning: string;
}

export interface BatchOf {
  readonly batch: string;
  readonly merchantId: string;
  readonly count: number;
}

/** Payments of a batch in one state, with the sum of their amounts. */
export interface BatchTotal {
  readonly status: PaymentState;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: number;
}

/** The most payments of one batch. */
export const maxBatchSize = 500;
