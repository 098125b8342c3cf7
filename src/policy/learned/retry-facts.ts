import type { Decline } from '../../domain/declines/decline.ts';

/**
 * What a merchant knows of a failed payment when a try is planned, beyond the plan's own input. What
 * is not known is left out; nothing here lies after the decision.
 */
export interface PaymentFacts {
  /** Decides the arm and the exploration by its hash: the invoice's id. */
  readonly paymentId: string;
  readonly merchantId: string;
  /** The merchant's own name for a kind of customer or plan. */
  readonly segment?: string;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Minutes that the payer's clock is ahead of UTC; 0 where their zone is not known. */
  readonly utcOffsetMinutes: number;
  /** Earlier charges of the payer at this merchant, successes included, the oldest first. */
  readonly past: readonly PastCharge[];
}

/** What is known of one payment method. */
export interface CardFacts {
  /** The card's network in lower case, or the kind of bank debit. */
  readonly brand?: string;
  readonly funding?: CardFunding;
  /** The first 6 to 8 digits of the card. */
  readonly bin?: string;
  /** The last month, 1 to 12, in which the card is valid. */
  readonly expiry?: { readonly year: number; readonly month: number };
  /** Late outcomes of the card's issuer at this merchant, or of the whole PSP. */
  readonly issuerHealth?: HealthCounters;
}

export type CardFunding = 'debit' | 'credit' | 'prepaid';

export interface PastCharge {
  readonly atMs: number;
  readonly succeeded: boolean;
  /** For want of funds, where it failed. */
  readonly lackedFunds?: boolean;
  readonly amountMinor: number;
  /** The payment's own where it is left out. */
  readonly currency?: string;
}

/** Charges of one issuer in a late stretch of time, and those that ended in a technical decline. */
export interface HealthCounters {
  readonly charges: number;
  readonly technical: number;
  /** When the last charge that was counted was made. */
  readonly lastAtMs: number;
}

/** A decision's whole facts, of one method: what features are made of, at training and serving. */
export interface RetryFacts extends PaymentFacts, CardFacts {
  readonly nowMs: number;
  readonly failedAtMs: number;
  readonly windowEndsAtMs: number;
  readonly firstDecline: Decline;
  /** Declined tries, the oldest first. */
  readonly tries: readonly { readonly atMs: number; readonly decline: Decline }[];
  /** Tries that may still be made, the one to be planned included. */
  readonly triesLeft: number;
  /** When the method was last added or updated, where that was after the failure. */
  readonly renewedAtMs?: number;
}

/** One logged try: the facts of its decision, when it was made, and what came of it. */
export interface TrainingRow {
  readonly facts: RetryFacts;
  readonly atMs: number;
  readonly succeeded: boolean;
  /** The chance with which the policy took this slot; from 0, not included, to 1. */
  readonly propensity: number;
}
