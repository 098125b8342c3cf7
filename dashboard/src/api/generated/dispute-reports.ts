// Generated from openapi/operator.json by npm run generate; do not edit.
import type { ReasonFamilyJson } from './disputes.ts';

/** An estimate for each merchant that has anything to count. */
export type DisputeRatiosJson = {
  readonly month: string;
  /** When the charges were counted; for this month and the one before, at most ten minutes ago. */
  readonly as_of: string;
  readonly items: readonly {
    /** The merchant's id, as its creation answered it. */
    readonly merchant_id: string;
    readonly visa: NetworkCountsJson;
    readonly mastercard: NetworkCountsJson;
    /** Disputes and warnings whose network is not known. */
    readonly unknown_disputes: number;
    /** Charges whose network is not known. */
    readonly unknown_settled: number;
    readonly programmes: readonly ProgrammeVerdictJson[];
  }[];
};

export type NetworkCountsJson = {
  /** Charges that succeeded in the month, as far as Recoup knows of them. */
  readonly settled: number;
  /** The same for the month before. */
  readonly settled_before: number;
  /** Fraud warnings of the month. */
  readonly fraud_reports: number;
  /** Disputes whose chargeback began in the month. */
  readonly disputes: number;
};

export type ProgrammeVerdictJson = {
  /** The monitoring programme. */
  readonly programme: 'visa_vamp' | 'mastercard_ecm' | 'mastercard_hecm';
  /** What it counts. */
  readonly items: number;
  /** The denominator of the ratio. */
  readonly out_of: number;
  /** Hundredths of a percent; absent where nothing was settled. */
  readonly ratio_bps?: number;
  /** Excessive from this many cases on, and */
  readonly limit_items: number;
  /** from this ratio on, both in one month. */
  readonly limit_bps: number;
  readonly is_excessive: boolean;
  /** Days until the limit at the current pace; 0 when reached; absent if the month ends first. */
  readonly days_to_breach?: number;
  /** Whose figures the limits are. */
  readonly source: string;
};

/** One item for each merchant, network and reason code, and sums of them. */
export type DisputeOutcomesJson = {
  /** With fewer decided disputes than this a share says nothing: use the counts. */
  readonly least_decided: number;
  readonly items: readonly (OutcomeSumsJson & {
    /** The merchant's id, as its creation answered it. */
    readonly merchant_id: string;
    /** The card's network, where known. */
    readonly network?: string;
    /** What the code is about. */
    readonly reason_family?: ReasonFamilyJson;
    /** The network's code. */
    readonly reason_code?: string;
  })[];
  /** All of them together. */
  readonly whole: OutcomeSumsJson;
  /** Of each network, all merchants together. */
  readonly networks: readonly (OutcomeSumsJson & {
    /** The card's network, where known. */
    readonly network?: string;
  })[];
  /** Of each network and reason code, all merchants together. */
  readonly reasons: readonly (OutcomeSumsJson & {
    /** The card's network, where known. */
    readonly network?: string;
    /** What the code is about. */
    readonly reason_family?: ReasonFamilyJson;
    /** The network's code. */
    readonly reason_code?: string;
  })[];
};

/** All of them together. */
export type OutcomeSumsJson = {
  /** All of them, without inquiries and fraud warnings. */
  readonly disputes: number;
  /** Not decided yet. */
  readonly open: number;
  /** Contested and won. */
  readonly won: number;
  /** Of them: lost. */
  readonly lost: number;
  /** Not contested, by decision. */
  readonly accepted: number;
  /** Not contested in time. */
  readonly expired: number;
  /** Ended before a chargeback, or were withdrawn. */
  readonly withdrawn: number;
  /** Won as a share of won and lost; absent if none is decided. */
  readonly win_rate?: number;
  /** Its exact 95 % interval (Clopper and Pearson): from */
  readonly win_rate_low?: number;
  /** and to. */
  readonly win_rate_high?: number;
};

export type ListDisputeRatiosQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** The month, in UTC. Default: the current month. */
  readonly month?: string;
  /** Settled charges of the month, from the acquirer's statement, for one merchant. */
  readonly visa_settled?: number;
  /** The same for the month before, at Mastercard. */
  readonly mastercard_settled_before?: number;
};

export type ShowDisputeOutcomesQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Of disputes opened at this time or later. */
  readonly from?: string;
  /** And before this one. */
  readonly to?: string;
};

export type ShowRecoveryQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Of charges at this time or later. Without it: from the first. */
  readonly from?: string;
  /** Of charges before this time. Without it: to the last. */
  readonly to?: string;
};

export type ShowRecoveryAnswer = {
  readonly items: readonly {
    /** The merchant's id, as its creation answered it. */
    readonly merchant_id: string;
    readonly currency: string;
    readonly recovered_count: number;
    /** The amount of the charges, in minor units. */
    readonly recovered_minor: number;
    readonly open_count: number;
    /** The part of it that is disputed and not decided. */
    readonly open_minor: number;
    readonly lost_count: number;
    /** The part that was taken back: lost, accepted, expired, or refunded before. */
    readonly lost_minor: number;
    /** Recovered less lost. */
    readonly net_minor: number;
  }[];
};
