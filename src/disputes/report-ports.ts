import type { OfMerchants } from '../domain/access/of-merchants.ts';
import type { NetworkCounts, ProgrammeVerdict } from '../domain/disputes/monitoring/judge-month.ts';
import type { ReasonFamily } from '../domain/disputes/normalise/reason-codes.ts';

/** One merchant's month, on the networks that have programmes. */
export interface MonthlyCounts {
  readonly merchantId: string;
  readonly visa: NetworkCounts;
  readonly mastercard: NetworkCounts;
  /** Disputes and charges of the month whose network is not known: they are in no ratio. */
  readonly unknownDisputes: number;
  readonly unknownSettled: number;
}

export interface DisputeRatios extends MonthlyCounts {
  readonly verdicts: readonly ProgrammeVerdict[];
}

/** What Recoup recovered in one currency, and what disputes took of it since; all in minor units. */
export interface NetRecovery {
  readonly merchantId: string;
  readonly currency: string;
  readonly recoveredCount: number;
  readonly recoveredMinor: number;
  readonly openCount: number;
  readonly openMinor: number;
  readonly lostCount: number;
  readonly lostMinor: number;
}

/** A month, and where the one before it begins. */
export interface CountMonth extends OfMerchants {
  readonly monthBefore: Date;
  readonly from: Date;
  readonly until: Date;
}

/** Of payments that were recovered at `from` or later and before `until`; disputes whenever. */
export interface NetRecoveryQuery extends OfMerchants {
  readonly from?: Date;
  readonly until?: Date;
}

/** How the disputes of one network and reason ended, by where each stands now. */
export interface DisputeOutcomes {
  readonly merchantId: string;
  readonly network?: string;
  readonly reasonFamily?: ReasonFamily;
  readonly reasonCode?: string;
  readonly disputes: number;
  readonly open: number;
  readonly won: number;
  readonly lost: number;
  readonly accepted: number;
  readonly expired: number;
  /** Ended before a chargeback, or taken back. */
  readonly withdrawn: number;
}

/** Of disputes that were opened at `from` or later and before `until`. */
export interface DisputeOutcomesQuery extends OfMerchants {
  readonly from?: Date;
  readonly until?: Date;
}
