// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PolicyKindJson } from './merchants.ts';
import type { ArmJson } from './payments.ts';
import type { FigureJson } from './overview.ts';

/** Models by scope, the newest first. */
export type ModelsJson = {
  readonly models: readonly ModelJson[];
  /** The latest one of each scope. */
  readonly trainings: readonly TrainingJson[];
};

export type ModelJson = {
  readonly id: string;
  /** The merchant that it plans for; absent: every merchant without one of its own. */
  readonly merchant_id?: string;
  /** active: it plans. Each scope has one active model. */
  readonly status: 'candidate' | 'active' | 'retired';
  /** shipped: it is part of the release. */
  readonly origin: 'shipped' | 'trained';
  /** Of `held_out` tries and, beside it, of the `present` model on the same ones: `log_loss` (lower is better), `auc`, `calibration_error`, and `decision_value`, the share of successes if only the half that it rates best were made. `verdict` says why it was promoted or not. */
  readonly metrics: Readonly<Record<string, unknown>>;
  /** What it predicted and what happened. */
  readonly drift?: {
    /** Tries in the last 14 days whose time it chose. */
    readonly tries: number;
    readonly successes: number;
    /** The successes that it predicted. */
    readonly foretold: number;
    /** How often a try that succeeded had a higher predicted chance than one that was declined; 0.5 is pure chance. Absent unless there are both. */
    readonly auc?: number;
  };
  /** Why fixed schedules are used although it is active, until another one is. */
  readonly alert?: string;
  /** When that was noticed. */
  readonly alert_since?: string;
  /** When it was trained. */
  readonly created_at: string;
  /** When it last became active. */
  readonly activated_at?: string;
  /** When another one took its place. */
  readonly retired_at?: string;
};

export type TrainingJson = {
  /** The merchant that it plans for; absent: every merchant without one of its own. */
  readonly merchant_id?: string;
  /** Its progress. */
  readonly state: 'queued' | 'reading' | 'training' | 'done' | 'failed';
  /** Tries read so far. */
  readonly tries: number;
  /** How it ended. */
  readonly message: string;
  /** The model that it produced. */
  readonly model_id?: string;
  /** When it was requested. */
  readonly requested_at: string;
  /** When it last made progress. */
  readonly updated_at: string;
};

/** Sorted by merchant name; empty if no merchant has the learned policy. */
export type ExperimentsJson = {
  /** The figures include every change before this time. Absent: nothing has been counted yet, and they are all zero. */
  readonly as_of?: string;
  readonly experiments: readonly ExperimentJson[];
};

export type ExperimentJson = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  readonly merchant_name: string;
  /** Since when the merchant’s policy has been as it is now. */
  readonly since: string;
  /** The figures cover payments that failed at this time or later. */
  readonly figures_from: string;
  readonly window_days: number;
  readonly max_attempts: number;
  /** The simple schedule of all payments that the model does not plan. */
  readonly fixed_days: readonly number[];
  /** The share of payments that the model plans at present: 0, then 0.1, 0.5 and 0.9 as it proves itself, or as set by hand. */
  readonly learned_share: number;
  /** Why it is this share, in a sentence. */
  readonly learned_reason: string;
  /** Products whose own payments have shown that they need a different share from the merchant’s; the others follow the merchant’s. */
  readonly segments: readonly LearnedSegmentJson[];
  /** How payments are assigned to arms. */
  readonly assignment: string;
  /** The model that plans. */
  readonly model_id: string;
  /** Whether it is the merchant’s own, or all merchants’. */
  readonly own_model: boolean;
  /** Why fixed days are used at the moment; absent while the model plans. */
  readonly fallback?: {
    readonly reason: string;
    /** When it was noticed. */
    readonly since?: string;
  };
  readonly arms: readonly ExperimentArmJson[];
};

export type LearnedSegmentJson = {
  /** The product’s id, as the merchant reports it. */
  readonly segment: string;
  readonly learned_share: number;
  /** Why it is this share, in a sentence. */
  readonly learned_reason: string;
  /** Since when. */
  readonly since: string;
};

export type ExperimentArmJson = {
  /** learned: times that the model chose. explore: times by chance, of the same payments. holdout: payments that stay on the fixed days. fallback: fixed days while the model was not trusted. */
  readonly arm: ArmJson;
  /** For holdout, the share of payments; for learned and explore, the share of the other payments’ decisions. */
  readonly share?: number;
  /** Payments in the arm; 0 for explore, which counts decisions only. */
  readonly payments: number;
  /** Of them, by a retry. */
  readonly recovered: number;
  /** recovered / payments, clustered by payer. */
  readonly recovered_rate?: FigureJson;
  /** Tries whose time this arm chose, that reached a PSP and ended. */
  readonly tries: number;
  /** Of them. */
  readonly succeeded: number;
  /** succeeded / tries, clustered by payer. */
  readonly success_rate?: FigureJson;
};

/** A what-if; its last result stays until the next one is ready. */
export type WhatIfJson = {
  readonly id: string;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** learned: a model made from half of the payers. fixed: the merchant’s fixed days. even: tries evenly over the window. */
  readonly policy: PolicyKindJson;
  /** Days from the failure. */
  readonly window_days: number;
  /** Tries of a recovery. */
  readonly max_attempts: number;
  /** Of fixed: the merchant’s days as it was asked. */
  readonly fixed_days?: readonly number[];
  /** Its progress. */
  readonly state: 'queued' | 'reading' | 'testing' | 'done' | 'failed';
  /** Charges read so far. */
  readonly charges_read: number;
  /** Why it failed; a worker tries it again. */
  readonly error?: string;
  /** When it was last requested. */
  readonly requested_at: string;
  /** When it last made progress. */
  readonly updated_at: string;
  /** When the result was there. */
  readonly completed_at?: string;
  readonly result?: WhatIfResultJson;
};

export type WhatIfResultJson = {
  /** Read: reported ones and Recoup’s own of the last 400 days. */
  readonly charges: number;
  /** There were more than one what-if reads. */
  readonly capped: boolean;
  /** Payments that failed at first. */
  readonly failures: number;
  /** Moments at which the next try had to be chosen under these terms. */
  readonly decisions: number;
  /** Of them, those that the policy was asked. */
  readonly asked: number;
  /** Share of the payers who were drawn for it; others would sharpen intervals. */
  readonly asked_share: number;
  /** Whether the model was made from half of the payers and judged by the others. */
  readonly trained: boolean;
  /** estimated: the chance of each day was counted, as if days had been chosen without regard to the payer. Where they were not, the estimates are wrong. */
  readonly propensities: 'logged' | 'estimated';
  /** Decisions at which the policy tries again. */
  readonly would_try: number;
  /** Until its next try. */
  readonly median_delay_days?: number;
  /** Made under these terms. */
  readonly tries: number;
  /** Of them. */
  readonly succeeded: number;
  /** succeeded / tries. */
  readonly success_rate?: EstimateJson;
  /** The chance that its next try succeeds. */
  readonly next_try: ClaimJson;
  /** The chance that it recovers a payment. Weak evidence, since a payment’s choices multiply. */
  readonly payment: ClaimJson;
  /** The same in money, a currency each, the one with the most payments first: as weak as `payment`. Empty in results of before it was told. */
  readonly money: readonly WhatIfMoneyJson[];
};

export type EstimateJson = {
  readonly value: number;
  /** With `high`: bounds of 95 %, clustered by payer. */
  readonly low: number;
  readonly high: number;
};

export type ClaimJson = {
  /** Whether the history carries the claim. */
  readonly claimed: boolean;
  /** Decisions, or payments, that it is made from. */
  readonly n: number;
  /** Of them. */
  readonly payers?: number;
  /** What came of what was done instead. */
  readonly logged?: EstimateJson;
  /** By self-normalised inverse propensities. */
  readonly snips?: EstimateJson;
  /** The doubly robust estimate. */
  readonly doubly_robust?: EstimateJson;
  /** `snips` less `logged`, resampled together. */
  readonly gain?: EstimateJson;
  readonly effective_sample?: number;
  /** Mean weight: 1 where all of its choices were tried. */
  readonly support?: number;
  /** Of a refusal, a word. */
  readonly reason?: string;
  /** Of a refusal, a sentence. */
  readonly message?: string;
};

/** Amounts are decimals of the major unit. */
export type WhatIfMoneyJson = {
  readonly currency: string;
  /** Of this currency that failed at first. */
  readonly payments: number;
  /** What was due of them, in the major unit. */
  readonly failed: number;
  /** Whether the history carries the claim. */
  readonly claimed: boolean;
  /** What these terms would have recovered of it. */
  readonly recovered?: EstimateJson;
  /** What was recovered of it by what was done instead. */
  readonly logged?: EstimateJson;
  /** `recovered` less `logged`, resampled together; may be below 0. */
  readonly gain?: EstimateJson;
  /** Payments that it is made from. */
  readonly n: number;
  readonly effective_sample?: number;
  /** Of a refusal, a word. */
  readonly reason?: string;
  /** Of a refusal, a sentence. */
  readonly message?: string;
};

export type TrainModelBody = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

export type TrainModelAnswer = {
  readonly state: 'queued';
};

export type ListExperimentsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Figures of payments that failed at this time or later. */
  readonly since?: string;
};

export type ListWhatIfsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
};

export type ListWhatIfsAnswer = {
  readonly what_ifs: readonly WhatIfJson[];
};

export type RequestWhatIfBody = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** learned: a model made from half of the payers. fixed: the merchant’s fixed days. even: tries evenly over the window. */
  readonly policy: PolicyKindJson;
  /** Days from the failure. */
  readonly window_days: number;
  /** Tries of a recovery. */
  readonly max_attempts: number;
};
