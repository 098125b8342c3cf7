import type { PaymentState } from '../../domain/states.ts';

/** A payment that changed. */
export interface LiveChange {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly status: PaymentState;
  readonly amountMinor: number;
  readonly currency: string;
  readonly at: Date;
}

/** Changes as they are committed, in whichever process. */
export interface LiveFeed {
  /** Calls `listener` with what changed since the last call; what it gives back ends that. */
  subscribe(listener: (changes: readonly LiveChange[]) => void): () => void;
}
