import type { DisputeStage } from '../../domain/disputes/normalise/dispute-state.ts';
import type { Psp } from '../../domain/psps.ts';

export const submissionStates = [
  'staging',
  'staged',
  'submitting',
  'submitted',
  'failed',
  'unknown',
] as const;
/** `unknown`: the sending's answer was lost. The others are what they say. */
export type SubmissionState = (typeof submissionStates)[number];

export const acceptanceStates = ['accepting', 'accepted', 'failed', 'unknown'] as const;
/** `unknown`: the call's answer was lost. The others are what they say. */
export type AcceptanceState = (typeof acceptanceStates)[number];

interface AnswerOfStage {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly stage: DisputeStage;
  readonly psp: Psp;
  /** Of one that failed or is unknown. */
  readonly reason?: string;
  /** Rises with every step. */
  readonly fence: number;
  /** When the present state began. */
  readonly updatedAt: Date;
}

/** Evidence for one stage of a dispute. */
export interface Submission extends AnswerOfStage {
  readonly kind: 'evidence';
  readonly state: SubmissionState;
  /** Of the packet that was staged last. */
  readonly contentHash: string;
  readonly reference?: string;
  readonly submittedAt?: Date;
}

/** One stage of a dispute that is not contested. */
export interface Acceptance extends AnswerOfStage {
  readonly kind: 'acceptance';
  readonly state: AcceptanceState;
}

/** A stage has one answer: evidence, or that it is not contested. */
export type StageAnswer = Submission | Acceptance;

export interface SubmissionKey {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly stage: DisputeStage;
}

interface AnswerStep {
  readonly reason?: string;
  /** When the PSP's record is asked what became of it, if nobody asks before. */
  readonly lookUpAt?: Date;
  /** Who takes it, for the audit log. */
  readonly actor: string;
  readonly at: Date;
  /** The first of another answer, which the PSP asked for: evidence that was submitted gives way to it. */
  readonly isAnother?: boolean;
}

/** What a step of evidence writes. */
export interface SubmissionStep extends AnswerStep {
  readonly state: SubmissionState;
  readonly contentHash: string;
  readonly reference?: string;
}

/** What a step of an acceptance writes. */
export interface AcceptanceStep extends AnswerStep {
  readonly state: AcceptanceState;
}

export interface SubmissionStore {
  find(key: SubmissionKey): Promise<StageAnswer | undefined>;
  /** The newest of a dispute's stages. */
  latest(key: Omit<SubmissionKey, 'stage'>): Promise<StageAnswer | undefined>;
  /**
   * The submission after a step from `fence` (0: there is none yet). Undefined where somebody else
   * took a step meanwhile, and nothing was written.
   */
  step(
    key: SubmissionKey & { readonly psp: Psp },
    fence: number,
    step: SubmissionStep,
  ): Promise<Submission | undefined>;
  /** The same of an acceptance. */
  stepAcceptance(
    key: SubmissionKey & { readonly psp: Psp },
    fence: number,
    step: AcceptanceStep,
  ): Promise<Acceptance | undefined>;
  /** Those whose look-up is due, the longest waiting first. */
  findLookUpsDue(input: {
    readonly at: Date;
    readonly limit: number;
  }): Promise<readonly DueAnswer[]>;
  /** Puts off the look-up of one that took no step since; without a time it waits for a person. */
  putOffLookUp(answer: StageAnswer, nextAt: Date | undefined): Promise<void>;
}

/** With the look-ups so far that said nothing. */
export type DueAnswer = StageAnswer & { readonly lookUps: number };
