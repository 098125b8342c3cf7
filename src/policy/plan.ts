import type { Decline } from '../domain/declines/decline.ts';
import type { PolicySettings } from '../domain/merchant.ts';
import type { Blocked } from '../domain/network-rules/judge-charge.ts';

/** All that a policy may know when it plans: nothing that the merchant would not know then. */
export interface PlanInput {
  readonly now: Date;
  readonly settings: PolicySettings;
  readonly failedAt: Date;
  readonly windowEndsAt: Date;
  /** What the issuer said when the payment first failed, of the method marked `failedFirst`. */
  readonly firstDecline: Decline;
  /** Tries that reached a PSP, the oldest first. */
  readonly tries: readonly TryFacts[];
  /** The payment's methods that are not removed, in the merchant's order. */
  readonly methods: readonly PlanMethod[];
}

export interface PlanMethod {
  readonly paymentMethodId: string;
  /** Whether the failure that began the recovery was this method's. */
  readonly failedFirst?: boolean;
  /** When the merchant last said that it was added or updated. */
  readonly renewedAt?: Date;
  /** What the card's network has against a charge of it now; absent where it has nothing. */
  readonly blocked?: Blocked;
}

export interface TryFacts {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The declines of the try, one for each method that was charged. */
  readonly declines: readonly MethodDecline[];
}

export interface MethodDecline {
  readonly paymentMethodId: string;
  readonly decline: Decline;
}

/** What is to happen next with a payment. */
export type Plan =
  | {
      readonly kind: 'attempt';
      readonly at: Date;
      readonly methods: readonly string[];
      readonly decision: DecisionRecord;
    }
  | { readonly kind: 'wait_for_update'; readonly until: Date; readonly decision: DecisionRecord }
  | { readonly kind: 'exhausted'; readonly decision: DecisionRecord };

/** Why a plan is as it is, kept with it and shown to users. Instants are ISO 8601 texts. */
export interface DecisionRecord {
  readonly kind: Plan['kind'];
  readonly because: string;
  readonly policy: string;
  readonly policy_version: string;
  /** The edition of the networks' rules that bounded the choice. */
  readonly rule_pack_version: string;
  readonly decided_at: string;
  /** When the attempt is to start, or the wait ends. */
  readonly at?: string;
  readonly methods?: readonly string[];
  /** The times that were weighed, the best first, each with its score. */
  readonly candidates?: readonly { readonly at: string; readonly score: number }[];
  /** What moved a time or forbade a method that the policy would have taken, with its source. */
  readonly bounded_by: readonly string[];
  /** The chance with which the policy took this choice; 1 where it does not explore. */
  readonly propensity: number;
  /**
   * Which part of the traffic the payment is of: planned by the model, a slot taken by chance to
   * learn from, kept on the fixed schedule to compare with, or on it since the model is not trusted.
   */
  readonly arm?: Arm;
  /** The arm that the payment as a whole is of: its first decision's, whatever plans it since. */
  readonly payment_arm?: PaymentArm;
  /** The chance of an approval at `at`, as the model has it. */
  readonly chance?: number;
  /** What moved that chance most, the strongest first. */
  readonly leading?: readonly LeadingFeature[];
}

/**
 * The parts of a learned policy's traffic. `learned`: times that the model chose; `explore`: times
 * taken by chance, of the same payments; `holdout`: payments on the fixed days; `fallback`: times of
 * the fixed days while the model was not trusted.
 */
export const arms = ['learned', 'explore', 'holdout', 'fallback'] as const;
export type Arm = (typeof arms)[number];

/** The arms that payments are compared by. */
export const paymentArms = ['learned', 'holdout'] as const satisfies readonly Arm[];
export type PaymentArm = (typeof paymentArms)[number];

/** One reason for a time: what was seen, and how it moved the chance of an approval. */
export interface LeadingFeature {
  readonly feature: string;
  readonly words: string;
  readonly value: number;
  /** The chance as it is, less what it would be with an average value. */
  readonly effect: number;
}
