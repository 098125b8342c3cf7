import type { PaymentSummary } from '../api.ts';
import type { StoryMethod } from './payment-story.ts';

/** One customer of a merchant, by the id that the merchant gave. */
export interface CustomerOf {
  readonly merchantId: string;
  readonly customerId: string;
}

/** A customer's account at a merchant, as far as it came here; the newest of each list first. */
export interface CustomerRecord {
  /** Of each currency, the one with most payments first. */
  readonly totals: readonly CustomerTotal[];
  readonly payments: readonly PaymentSummary[];
  readonly methods: readonly CustomerMethod[];
  readonly attempts: readonly CustomerAttempt[];
  readonly disputes: readonly CustomerDispute[];
}

export interface CustomerTotal {
  readonly currency: string;
  readonly payments: number;
  readonly failedMinor: number;
  readonly recoveredMinor: number;
  readonly openMinor: number;
}

export interface CustomerMethod extends StoryMethod {
  readonly since: Date;
}

export interface CustomerAttempt {
  readonly invoiceId: string;
  readonly number: number;
  readonly state: string;
  readonly at: Date;
  readonly amountMinor: number;
  readonly currency: string;
  /** The method charged last. */
  readonly paymentMethodId?: string;
  /** What the issuer said of a decline. */
  readonly code?: string;
}

export interface CustomerDispute {
  readonly disputeId: string;
  readonly pspDisputeId: string;
  readonly state: string;
  readonly invoiceId: string;
  readonly openedAt: Date;
  readonly reason?: string;
  readonly amountMinor?: number;
  readonly currency?: string;
  readonly respondBy?: Date;
}
