import type { OfMerchants } from '../domain/access/of-merchants.ts';
import type { Estimate } from '../policy/evaluation/cluster-bootstrap.ts';

/**
 * Which part of the traffic a payment is of. `learned`: planned by the model, explored times among
 * them; `holdout`: kept on the fixed schedule to compare with; `fallback`: on it while the model was
 * not trusted, so of neither; `none`: no decision says, as before the first model.
 */
export const upliftArms = ['learned', 'holdout', 'fallback', 'none'] as const;
export type UpliftArm = (typeof upliftArms)[number];

/** How payments are split: by the category of the first decline, the first method, the week. */
export const upliftDimensions = ['all', 'decline_class', 'method', 'cohort'] as const;
export type UpliftDimension = (typeof upliftDimensions)[number];

/** Of payments that failed at `since` or later and before `until`; open where left out. */
export interface UpliftQuery extends OfMerchants {
  readonly since?: Date;
  readonly until?: Date;
}

/** Sums over the payments of one group of payers, of one arm and part. */
export interface UpliftSums {
  /** Payments themselves; the other sums of a comparison weigh them. */
  readonly counted: number;
  readonly payments: number;
  readonly failedMinor: number;
  /** By a retry of ours. */
  readonly recovered: number;
  readonly recoveredMinor: number;
  /** Less what was disputed afterwards and not won. */
  readonly netMinor: number;
  /** Ended since the payer paid in another way. */
  readonly paidOtherwise: number;
  /** Tries that reached a PSP. */
  readonly tries: number;
  /** From the failure to the recovery, of the recovered. */
  readonly daysToRecovery: number;
  /** Expected fees of networks, in micros of the payment's currency. */
  readonly feesMicros: number;
  /** Not ended yet. */
  readonly open: number;
  /** With network fees in another currency than their own, which `feesMicros` leaves out. */
  readonly otherFees: number;
}

export interface UpliftGroup extends UpliftSums {
  /**
   * True: as it is compared. Only weeks of merchants in which both the learned arm and the holdout have
   * payments, and of each payment held out as many as there are learned ones to it, so that both arms
   * are of the same merchants and weeks; and payments of the arm `none` of merchants that have learned ones.
   * False: what there is.
   */
  readonly isCompared: boolean;
  readonly currency: string;
  readonly dimension: UpliftDimension;
  /** The part of the dimension; empty for `all`. */
  readonly part: string;
  readonly arm: UpliftArm;
  /** The number of the group; a payer's payments are all of one. */
  readonly group: number;
}

export const upliftMetrics = [
  'recovered_rate',
  'recovered_or_paid_rate',
  'recovered_amount_rate',
  'net_amount_rate',
  'attempts_per_recovery',
  'days_to_recovery',
  'fees_per_payment',
] as const;
export type UpliftMetric = (typeof upliftMetrics)[number];

/** A value without an interval has too few payers, or was undefined in too many resamples. */
export type Figure = Estimate | { readonly value: number };
export type Figures = Readonly<Partial<Record<UpliftMetric, Figure>>>;

export interface ArmReport {
  readonly arm: UpliftArm;
  readonly sums: UpliftSums;
  readonly figures: Figures;
}

/**
 * What the learned policy recovered more than the holdout, of payments of the same merchants and weeks.
 * `more`, `less`: the 95 % interval of the money does not hold zero; `too_few`: there is no interval.
 */
export interface Verdict {
  readonly result: 'more' | 'less' | 'not_significant' | 'too_few';
  /** Payments that are compared. */
  readonly learned: number;
  readonly holdout: number;
  /** Recovered beyond what the holdout's rate would have brought of the learned arm's money, in minor units. */
  readonly amountMinor: Figure;
  /** About how many more payments a difference such as this takes to show, where it does not. */
  readonly paymentsNeeded?: number;
  /** The difference of the recovered rates of payments, with what may be said of it by its own interval. */
  readonly rate: Figure;
  readonly rateResult: Verdict['result'];
  readonly ratePaymentsNeeded?: number;
}

/**
 * The learned payments beside those that the same merchants had before any model, on the schedule of then. Before
 * and after, not by chance: whatever else changed in between is in it.
 */
export interface Former {
  /** Planned before any model. */
  readonly payments: number;
  /** Learned less these. */
  readonly difference: Figures;
}

/** One part of the payments of one currency: every arm, and learned less holdout. */
export interface UpliftPart {
  readonly currency: string;
  readonly dimension: UpliftDimension;
  readonly part: string;
  readonly arms: readonly ArmReport[];
  /** Absent where no week of a merchant has payments of both arms. */
  readonly difference?: Figures;
  readonly verdict?: Verdict;
  /** Of the whole alone; absent where nothing is left of the time before the first model. */
  readonly former?: Former;
}

export interface UpliftReport {
  /** Whether any payment is of the arm; without both there is nothing to compare. */
  readonly hasLearned: boolean;
  readonly hasHoldout: boolean;
  readonly parts: readonly UpliftPart[];
}
