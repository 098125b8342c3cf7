import type { AnalyticsIdentifiers } from '../../domain/disputes/matching/match-score.ts';
import type { Money } from '../../domain/money.ts';
import type { Psp } from '../../domain/psps.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { StatedDetails } from './stated-details.ts';

/** A charge that went through, as Recoup's records have it. */
export interface KnownCharge {
  /** The PSP's id of it. */
  readonly id: string;
  /** Its other name, such as the merchant's own id of the transaction. */
  readonly otherId?: string;
  readonly psp: Psp;
  readonly invoiceId: string;
  readonly subscriptionId?: string;
  /** When the subscription began, as the charge's report told. */
  readonly subscriptionBegunAt?: Date;
  readonly customerId: string;
  readonly paymentMethodId: string;
  /** The card's fingerprint, or the method's id where none is known. */
  readonly credential: string;
  readonly processedAt: Date;
  readonly money: Money;
  readonly networkTransactionId?: string;
  /** What the subscription's report calls the product. */
  readonly product?: string;
  /** A retry that Recoup made. */
  readonly isRetry: boolean;
  readonly isDisputed: boolean;
  readonly hasFraudReport: boolean;
}

/** One try of Recoup to recover the disputed invoice. */
export interface KnownTry {
  readonly at: Date;
  readonly state: string;
  readonly money: Money;
  readonly pspTransactionId?: string;
}

/** An event that the merchant's server took. */
export interface KnownDelivery {
  readonly at: Date;
  readonly type: string;
  readonly eventId: string;
}

/** What Recoup gave back of the disputed charge, such as where it was charged twice. */
export interface KnownRefund {
  readonly at: Date;
  /** The PSP's id of it. */
  readonly refundId: string;
  readonly money?: Money;
}

/** Everything that Recoup knows about a dispute and its charge. */
export interface EvidenceRecords {
  readonly dispute: DisputeDetail;
  readonly merchantName: string;
  readonly details: StatedDetails;
  /** Absent where nobody reported the charge. */
  readonly charge?: KnownCharge;
  /** Earlier charges of the same card that went through, the newest first; a bounded number. */
  readonly earlier: readonly KnownCharge[];
  /**
   * Charges of the subscriptions of all of these, the first ones first; a bounded number of each.
   */
  readonly renewals: readonly KnownCharge[];
  /** Analytics records that have any id in common with these charges; a bounded number. */
  readonly analyticsRecords: readonly AnalyticsIdentifiers[];
  readonly tries: readonly KnownTry[];
  readonly deliveries: readonly KnownDelivery[];
  readonly refunds: readonly KnownRefund[];
}

/**
 * The subscription by the name that our records of its charges have. What the PSP calls it, and what an unreported charge is
 * known by, may be another name.
 */
export function disputedSubscription({
  dispute,
  charge,
}: Pick<EvidenceRecords, 'charge'> & {
  readonly dispute: Pick<DisputeDetail, 'facts'>;
}): string | undefined {
  return charge?.subscriptionId ?? dispute.facts.subscriptionId;
}

export interface EvidenceStore {
  read(input: {
    readonly merchantId: string;
    readonly disputeId: string;
  }): Promise<EvidenceRecords | undefined>;
  /** Replaces what the merchant stated before. False where there is no such dispute. */
  state(input: {
    readonly merchantId: string;
    readonly disputeId: string;
    readonly details: StatedDetails;
    readonly at: Date;
  }): Promise<boolean>;
}
