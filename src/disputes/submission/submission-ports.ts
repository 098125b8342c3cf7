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

/** The answer to one stage of a dispute. */
export interface Submission {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly stage: DisputeStage;
  readonly psp: Psp;
  readonly state: SubmissionState;
  /** Of the packet that was staged last. */
  readonly contentHash: string;
  readonly reference?: string;
  /** Of one that failed or is unknown. */
  readonly reason?: string;
  /** Rises with every step. */
  readonly fence: number;
  /** When the present state began. */
  readonly updatedAt: Date;
  readonly submittedAt?: Date;
}

export interface SubmissionKey {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly stage: DisputeStage;
}

/** What a step writes. */
export interface SubmissionStep {
  readonly state: SubmissionState;
  readonly contentHash: string;
  readonly reference?: string;
  readonly reason?: string;
  /** When the PSP's record is asked what became of it, if nobody asks before. */
  readonly lookUpAt?: Date;
  /** Who takes it, for the audit log. */
  readonly actor: string;
  readonly at: Date;
}

export interface SubmissionStore {
  find(key: SubmissionKey): Promise<Submission | undefined>;
  /** The newest of a dispute's stages. */
  latest(key: Omit<SubmissionKey, 'stage'>): Promise<Submission | undefined>;
  /**
   * The submission after a step from `fence` (0: there is none yet). Undefined where somebody else
   * took a step meanwhile, and nothing was written.
   */
  step(
    key: SubmissionKey & { readonly psp: Psp },
    fence: number,
    step: SubmissionStep,
  ): Promise<Submission | undefined>;
  /** Those whose look-up is due, the longest waiting first. */
  findLookUpsDue(input: {
    readonly at: Date;
    readonly limit: number;
  }): Promise<readonly DueSubmission[]>;
  /** Puts off the look-up of one that took no step since; without a time it waits for a person. */
  putOffLookUp(submission: Submission, nextAt: Date | undefined): Promise<void>;
}

export interface DueSubmission extends Submission {
  /** Look-ups so far that said nothing. */
  readonly lookUps: number;
}
