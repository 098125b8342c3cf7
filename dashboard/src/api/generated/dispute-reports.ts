// Generated from openapi/operator.json by npm run generate; do not edit.
import type { ReasonFamilyJson } from './disputes.ts';

/** An estimate for each merchant that has anything to count. */
export type DisputeRatiosJson = {
  readonly month: string;
  /** When the charges were counted: of this month and the one before, within ten minutes of a look. */
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
  /** Charges that succeeded in the month, as far as they were reported to Recoup. */
  readonly settled: number;
  /** The same of the month before. */
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
  /** What it divides them by. */
  readonly out_of: number;
  /** Hundredths of a percent; absent where nothing was settled. */
  readonly ratio_bps?: number;
  /** Excessive from so many on, and */
  readonly limit_items: number;
  /** from this ratio on, both in one month. */
  readonly limit_bps: number;
  readonly is_excessive: boolean;
  /** At the pace so far, 0 where it is reached; absent where the month ends before. */
  readonly days_to_breach?: number;
  /** Whose figures the limits are. */
  readonly source: string;
};

/** One item for each merchant, network and reason code, and sums of them. */
export type DisputeOutcomesJson = {
  /** Of fewer decided ones a share says nothing: take the numbers. */
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
  /** All of them, inquiries and fraud warnings aside. */
  readonly disputes: number;
  /** Of them: not decided. */
  readonly open: number;
  /** Of them: contested and won. */
  readonly won: number;
  /** Of them: lost. */
  readonly lost: number;
  /** Of them: not contested, by decision. */
  readonly accepted: number;
  /** Of them: not contested in time. */
  readonly expired: number;
  /** Of them: ended before a chargeback, or were taken back. */
  readonly withdrawn: number;
  /** Won of won and lost; absent where none is decided. */
  readonly win_rate?: number;
  /** The exact interval of it (Clopper and Pearson), 95 %: from */
  readonly win_rate_low?: number;
  /** and to. */
  readonly win_rate_high?: number;
};

export type ListDisputeRatiosQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** The month of UTC; without it this one. */
  readonly month?: string;
  /** Settled charges of the month by the acquirer's statement, for one merchant. */
  readonly visa_settled?: number;
  /** The same of the month before, at Mastercard. */
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
    /** What the charges brought, in minor units. */
    readonly recovered_minor: number;
    readonly open_count: number;
    /** What is disputed of it and not decided. */
    readonly open_minor: number;
    readonly lost_count: number;
    /** What was taken back: lost, accepted, expired, or refunded before. */
    readonly lost_minor: number;
    /** Recovered less lost. */
    readonly net_minor: number;
  }[];
};
