import { hourMs } from '../../clock.ts';
import type { Psp } from '../../psps.ts';

/** What is known of the charge of a dispute, the PSP's lookup included. */
export interface DisputeIdentifiers {
  readonly psp: Psp;
  /** Every name that the PSP has for the payment: Stripe's ch_ and pi_, capture and original. */
  readonly paymentIds: readonly string[];
  readonly networkTransactionId?: string;
  /** Every name of the invoice: the PSP's or the report's, and the merchant's reference, since most send its id as that. */
  readonly invoiceIds?: readonly string[];
  readonly subscriptionId?: string;
  readonly customerId?: string;
  /** Keyed hash of the normalised e-mail. */
  readonly emailIndex?: string;
  /** Its fingerprint, or else the PSP's id of the method. */
  readonly card?: string;
  readonly amountMinor?: number;
  readonly chargedAt: Date;
}

/** What a merchant named when it submitted a checkout. */
export interface AnalyticsIdentifiers {
  readonly id: string;
  readonly psp: Psp;
  readonly chargeId?: string;
  /** Merchants put the network's transaction id here, too. */
  readonly transactionId?: string;
  readonly networkTransactionId?: string;
  readonly invoiceId?: string;
  readonly subscriptionId?: string;
  readonly customerId?: string;
  readonly emailIndex?: string;
  readonly card?: string;
  readonly amountMinor?: number;
  readonly capturedAt: Date;
}

/**
 * Why an analytics record belongs to a dispute, the strongest first. `person`: somebody confirmed
 * it.
 */
export const matchReasons = [
  'person',
  'charge',
  'transaction',
  'network_transaction',
  'invoice',
  'subscription',
  'invoice_part',
  'customer',
  'email_card_time',
  'email',
] as const;
export type MatchReason = (typeof matchReasons)[number];

/**
 * What each reason is worth. A payment's own id is certain; a network's id may be given twice over
 * years; an invoice may be paid in parts, and other amounts say so. A subscription or customer
 * gives the checkout that came before, not this charge's own. An e-mail alone is never enough.
 */
export const matchWeights: Readonly<Record<MatchReason, number>> = {
  person: 100,
  charge: 100,
  transaction: 100,
  network_transaction: 98,
  invoice: 95,
  subscription: 80,
  invoice_part: 70,
  customer: 60,
  email_card_time: 50,
  email: 10,
};
/**
 * Each further reason adds this, up to 100: they confirm, and never make a weak one a strong one.
 */
const furtherReasonWeight = 1;
/** From here on a match holds without a person. */
export const automaticScore = 50;
/**
 * How long after a subscription's first charge its checkout may come: PSPs name a subscription when they have charged it,
 * and only then can a merchant submit its analytics record.
 */
export const checkoutLagMs = hourMs;
/** How near an e-mail's checkout has to be to the charge of the same card. */
export const emailWindowMs = 24 * hourMs;

const direct: ReadonlySet<MatchReason> = new Set([
  'charge',
  'transaction',
  'network_transaction',
  'invoice',
  'invoice_part',
]);

export interface MatchScore {
  /** 0 (nothing in common) to 100. */
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  /** True where the analytics record is of an earlier charge, and its elements are inherited. */
  readonly isInherited: boolean;
}

/** How sure it is that an analytics record belongs to a dispute, and why. */
export function scoreMatch(
  dispute: DisputeIdentifiers,
  analyticsRecord: AnalyticsIdentifiers,
): MatchScore {
  const reasons = matchReasons.filter((reason) => holds(reason, dispute, analyticsRecord));
  const strongest = reasons[0];
  if (strongest === undefined) return { score: 0, reasons, isInherited: false };
  const further = (reasons.length - 1) * furtherReasonWeight;
  return {
    score: Math.min(100, matchWeights[strongest] + further),
    reasons,
    isInherited: !reasons.some((reason) => direct.has(reason)),
  };
}

function holds(
  reason: MatchReason,
  dispute: DisputeIdentifiers,
  analyticsRecord: AnalyticsIdentifiers,
): boolean {
  // The same id under two PSPs names two things.
  const isSamePsp = dispute.psp === analyticsRecord.psp;
  const aheadMs = dispute.chargedAt.getTime() - analyticsRecord.capturedAt.getTime();
  switch (reason) {
    // Never by a rule.
    case 'person':
      return false;
    case 'charge':
      return isSamePsp && isOneOf(dispute.paymentIds, analyticsRecord.chargeId);
    case 'transaction':
      return isSamePsp && isOneOf(dispute.paymentIds, analyticsRecord.transactionId);
    case 'network_transaction':
      return isOneOf(
        [analyticsRecord.networkTransactionId, analyticsRecord.transactionId],
        dispute.networkTransactionId,
      );
    case 'invoice':
      return (
        isSamePsp &&
        isOneOf(dispute.invoiceIds ?? [], analyticsRecord.invoiceId) &&
        !isPart(dispute, analyticsRecord)
      );
    case 'invoice_part':
      return (
        isSamePsp &&
        isOneOf(dispute.invoiceIds ?? [], analyticsRecord.invoiceId) &&
        isPart(dispute, analyticsRecord)
      );
    case 'subscription':
      return (
        isSamePsp &&
        aheadMs >= -checkoutLagMs &&
        isSame(dispute.subscriptionId, analyticsRecord.subscriptionId)
      );
    // What comes later is of another payment, which it names.
    case 'customer':
      return isSamePsp && aheadMs >= 0 && isSame(dispute.customerId, analyticsRecord.customerId);
    case 'email_card_time':
      return (
        isSame(dispute.emailIndex, analyticsRecord.emailIndex) &&
        isSame(dispute.card, analyticsRecord.card) &&
        Math.abs(aheadMs) <= emailWindowMs
      );
    case 'email':
      return isSame(dispute.emailIndex, analyticsRecord.emailIndex);
  }
}

function isPart(dispute: DisputeIdentifiers, analyticsRecord: AnalyticsIdentifiers): boolean {
  const [disputed, captured] = [dispute.amountMinor, analyticsRecord.amountMinor];
  return disputed !== undefined && captured !== undefined && disputed !== captured;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one !== '' && one === other;
}

function isOneOf(ids: readonly (string | undefined)[], id: string | undefined): boolean {
  return ids.some((one) => isSame(one, id));
}
