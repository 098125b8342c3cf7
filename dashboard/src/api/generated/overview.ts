// Generated from openapi/operator.json by npm run generate; do not edit.
import type { DeclineCategoryJson } from './payments.ts';

/** The whole of each currency first, then its parts. Amounts are decimals of the major unit. */
export type UpliftJson = {
  /** Every change before this time is counted. */
  readonly as_of?: string;
  /** Why there is nothing to compare, where there is not. */
  readonly notice?: string;
  readonly parts: readonly UpliftPartJson[];
};

export type UpliftPartJson = {
  readonly currency: string;
  /** How the payments are split. */
  readonly dimension: 'all' | 'decline_class' | 'method' | 'cohort';
  /** The part of the dimension; empty for `all`. */
  readonly part: string;
  readonly arms: readonly UpliftArmJson[];
  /** Learned less holdout, of the same merchants and weeks. */
  readonly difference?: FiguresJson;
  /** What the learned policy recovered more than the holdout, of payments of the same merchants and weeks. The same figures wherever it is shown; docs/uplift.md has the formulas. */
  readonly verdict?: UpliftVerdictJson;
  /** Payments of the same merchants from before any model, on the schedule of then, and the learned ones less these. Before and after, not by chance: whatever else changed in between is in it. Of the dimension `all` alone. */
  readonly former?: UpliftFormerJson;
};

export type UpliftArmJson = {
  /** Which part of the traffic; explored times are of `learned`. */
  readonly arm: 'learned' | 'holdout' | 'fallback' | 'none';
  /** The n of every figure of the arm. */
  readonly payments: number;
  /** Those that have not ended yet. */
  readonly open: number;
  /** The sum of their amounts. */
  readonly failed_amount: number;
  /** Recovered by a retry. */
  readonly recovered: number;
  readonly recovered_amount: number;
  /** Less what was disputed afterwards and not won. */
  readonly net_amount: number;
  /** Stopped because the payer paid in another way. */
  readonly paid_otherwise: number;
  /** That reached a PSP. */
  readonly tries: number;
  /** Expected fees of the networks in the same currency. */
  readonly fees: number;
  /** Payments with fees in another currency, which are left out. */
  readonly other_fees: number;
  /** Without bounds where fewer than 20 groups of payers are of the arm; left out where it has no value. */
  readonly figures: FiguresJson;
};

export type FiguresJson = {
  /** Recovered by a retry, of all payments. */
  readonly recovered_rate?: FigureJson;
  /** Recovered by a retry, or paid in another way, of all payments. */
  readonly recovered_or_paid_rate?: FigureJson;
  /** The recovered amount over the failed one. */
  readonly recovered_amount_rate?: FigureJson;
  /** The same, less what was disputed afterwards and not won. */
  readonly net_amount_rate?: FigureJson;
  /** Tries that reached a PSP, over recoveries. */
  readonly attempts_per_recovery?: FigureJson;
  /** Mean days from the failure to the recovery. */
  readonly days_to_recovery?: FigureJson;
  /** Expected network fees, over all payments. */
  readonly fees_per_payment?: FigureJson;
};

export type FigureJson = {
  readonly value: number;
  /** With `high`: the bounds of 95 % confidence. */
  readonly low?: number;
  readonly high?: number;
};

/** What the learned policy recovered more than the holdout, of payments of the same merchants and weeks. The same figures wherever it is shown; docs/uplift.md has the formulas. */
export type UpliftVerdictJson = {
  /** Whether one arm brings more money than the holdout, such as the learned policy: `not_significant` where the interval of the difference holds zero, `too_few` where fewer than 20 groups of payers are of an arm. */
  readonly result: VerdictResultJson;
  /** Payments of the learned arm that are compared. */
  readonly learned_payments: number;
  /** Payments held out of the same merchants and weeks. */
  readonly holdout_payments: number;
  /** Recovered beyond what the holdout's rate would have brought, in major units of the currency. */
  readonly amount: FigureJson;
  /** About so many more payments would show such a difference of the money, where it does not. */
  readonly payments_needed?: number;
  /** The difference of the recovered shares of payments. */
  readonly rate: FigureJson;
  /** The same of `rate`, by its own interval: the money may differ where it does not. */
  readonly rate_result: VerdictResultJson;
  /** About so many more payments would show such a difference of the rates. */
  readonly rate_payments_needed?: number;
};

export type VerdictResultJson = 'more' | 'less' | 'not_significant' | 'too_few';

/** Payments of the same merchants from before any model, on the schedule of then, and the learned ones less these. Before and after, not by chance: whatever else changed in between is in it. Of the dimension `all` alone. */
export type UpliftFormerJson = {
  readonly payments: number;
  readonly difference: FiguresJson;
};

/** Sums that are kept beside the payments, and brought up to date when they are read. */
export type OverviewJson = {
  /** Every change before this time is counted. Absent until everything has been counted once. */
  readonly as_of?: string;
  /** The length of a step of the series. */
  readonly series_step: 'hour' | 'day';
  /** The one with the most payments first. */
  readonly currencies: readonly CurrencyOverviewJson[];
  /** Attempts that are planned for this hour and the 23 after it. */
  readonly planned: readonly PlannedAttemptsJson[];
  /** Cards near what their network allows in 30 days, as `GET /api/cards-near-limit` lists them; counted every ten minutes at most. */
  readonly network_pressure: NetworkPressureJson;
  readonly alerts: readonly AlertJson[];
};

export type CurrencyOverviewJson = {
  readonly currency: string;
  /** Money recovered within the period, whenever its payment failed. */
  readonly recovered: SumJson;
  /** The same for the preceding period of equal length. */
  readonly recovered_before?: SumJson;
  /** All payments open now, however old. */
  readonly at_risk: SumJson;
  /** The payments reported within the period. */
  readonly cohort: CohortJson;
  /** What the learned policy recovered more than the holdout, of payments of the same merchants and weeks. The same figures wherever it is shown; docs/uplift.md has the formulas. */
  readonly verdict?: UpliftVerdictJson;
  /** The cohort, by class of first decline. */
  readonly funnel: readonly (CohortJson & {
    /** What the first decline meant. */
    readonly category: DeclineCategoryJson;
  })[];
  /** Recovered money over time, without empty steps. */
  readonly series: readonly RecoveredPointJson[];
};

export type SumJson = {
  readonly payments: number;
  /** In major units of the currency. */
  readonly amount: number;
};

/** The payments reported within the period. */
export type CohortJson = {
  readonly payments: number;
  /** In major units of the currency. */
  readonly amount: number;
  /** Tries that reached the PSP, or may have. */
  readonly attempts: number;
  /** Still under recovery. */
  readonly open: SumJson;
  /** The amount charged so far: less than what failed if the merchant lowered the amount. */
  readonly recovered: SumJson;
  /** Stopped. */
  readonly stopped: SumJson;
  /** Ended without success. */
  readonly exhausted: SumJson;
};

export type RecoveredPointJson = {
  /** When the hour or the UTC day begins. */
  readonly at: string;
  readonly payments: number;
  /** In major units of the currency. */
  readonly amount: number;
};

export type PlannedAttemptsJson = {
  /** When the hour begins. */
  readonly at: string;
  /** What the first decline meant. */
  readonly category: DeclineCategoryJson;
  readonly attempts: number;
};

/** Cards near what their network allows in 30 days, as `GET /api/cards-near-limit` lists them; counted every ten minutes at most. */
export type NetworkPressureJson = {
  /** When they were counted. */
  readonly as_of?: string;
  readonly networks: readonly {
    readonly network: string;
    /** Cards that have used half or more. */
    readonly near: number;
    /** Those of them that have used all. */
    readonly spent: number;
  }[];
};

/** Something that a person should look at. */
export type AlertJson = {
  /** What it is. `work_held_back`: a process takes no work, since its clock cannot be trusted. `model_drifted`: fixed schedules are used until a better model is active. `incidents`: what contradicts the record. `endpoint_paused`: it is sent nothing until it is resumed. `set_aside`: failed jobs that are not run again until somebody retries them. */
  readonly kind: AlertKindJson;
  /** How many charges, deliveries, cards, disputes, breaches, or merchants of a model. */
  readonly count: number;
  /** Since when; of disputes the next deadline, of cards when they were counted, of a model when it was made active. */
  readonly at: string;
  /** Charges that only a person can resolve. */
  readonly need_person?: number;
  readonly merchant_id?: string;
  readonly merchant_name?: string;
  readonly network?: string;
  /** Cards that have used all of the limit. */
  readonly spent?: number;
  readonly model_id?: string;
  /** Its host, process id and a random part. */
  readonly process_id?: string;
  /** The promise that does not hold. */
  readonly invariant?: string;
  readonly channel_id?: string;
  readonly channel_name?: string;
  /** What a model predicted and what happened, why a process takes no work, what is promised, who paused an endpoint (operator or failures), or what a channel answered. */
  readonly message?: string;
};

export type AlertKindJson = 'database_refuses' | 'invariant_broken' | 'work_held_back' | 'unknown_outcomes' | 'disk_low' | 'incidents' | 'set_aside' | 'endpoint_failing' | 'endpoint_paused' | 'webhooks_given_up' | 'messages_failing' | 'disputes_due' | 'model_drifted' | 'network_limits' | 'cards_near_limit' | 'channel_failing';

/** Success of charges by when and why, each with its n. */
export type RetryMapJson = {
  /** Every charge whose outcome was known before is counted. */
  readonly as_of?: string;
  /** By the hour in which they were sent; empty hours are left out. */
  readonly hours: readonly {
    /** When the hour begins, in UTC. */
    readonly at: string;
    /** Charges whose outcome is known. */
    readonly tries: number;
    /** How many of them succeeded. */
    readonly successes: number;
  }[];
  /** By whole days since the payment failed. */
  readonly days_since_failure: readonly RetryBucketJson[];
  /** By the code of the payment's first decline; the most frequent. */
  readonly decline_codes: readonly RetryBucketJson[];
  /** By the card's first six digits; the most frequent. */
  readonly bins: readonly RetryBucketJson[];
};

export type RetryBucketJson = {
  readonly bucket: string;
  /** Charges whose outcome is known. */
  readonly tries: number;
  /** How many of them succeeded. */
  readonly successes: number;
};

/** Recovered payments by the day since their failure. */
export type CohortsJson = {
  /** Every change before this time is counted. */
  readonly as_of?: string;
  readonly curves: readonly CohortCurveJson[];
};

export type CohortCurveJson = {
  readonly part: string;
  readonly payments: number;
  /** From day 0 on, as long as the day is over for 10 payments. */
  readonly days: readonly CohortDayJson[];
};

export type CohortDayJson = {
  /** Whole days since the failure. */
  readonly day: number;
  /** Payments for which that day is over. */
  readonly payments: number;
  /** How many of them a retry had recovered by its end. */
  readonly recovered: number;
};

export type ShowUpliftQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Of payments that failed at this time or later. */
  readonly since?: string;
  /** Of payments that failed before this time. */
  readonly until?: string;
};

export type ShowOverviewQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Of this time or later. */
  readonly from?: string;
  /** Of before this time. */
  readonly to?: string;
  /** Leaves the verdict out, as of a time that another one is compared with. */
  readonly without?: 'verdict';
};

export type ShowRetryMapQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Of this time or later. */
  readonly from?: string;
  /** Of before this time. */
  readonly to?: string;
};

export type ShowCohortsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Of this time or later. */
  readonly from?: string;
  /** Of before this time. */
  readonly to?: string;
  /** What the payments of a curve have in common: the month in which they failed, how they are planned, or what the first decline meant. Month, unless told otherwise. */
  readonly by?: 'month' | 'policy' | 'decline_class';
};
