import {
  judgeTakeOver,
  type TakeOverGroup,
  type TakeOverStep,
  type TakeOverVerdict,
} from './take-over.ts';
import type { TrialRecord } from './trial-pause.ts';

export interface SegmentInput {
  /** Of the merchant as a whole. */
  readonly merchantStep: TakeOverStep;
  /** The segment's own step, and what became of its earlier trials; absent while it follows its merchant. */
  readonly own?: { readonly step: TakeOverStep; readonly trials: TrialRecord };
  /** Payments of the segment whose windows have ended since its step, or its merchant's, began. */
  readonly groups: readonly TakeOverGroup[];
}

const noTrials: TrialRecord = { failedTrials: 0, windowDays: 0, daysSince: 0, isAnother: false };

/**
 * The step of a segment of a merchant's payments that a trained model plans; undefined where it goes on
 * to follow its merchant. It takes a step of its own once its own payments show that it has to be
 * another one, by the same rule, and is judged by them alone from then on.
 */
export function judgeSegment(input: SegmentInput): TakeOverVerdict | undefined {
  const { merchantStep, own, groups } = input;
  if (own !== undefined) {
    return judgeTakeOver({ step: own.step, hasTrainedModel: true, groups, trials: own.trials });
  }
  // Nothing is on trial, so nothing can be told.
  if (merchantStep === 0) return undefined;
  const verdict = judgeTakeOver({
    step: merchantStep,
    hasTrainedModel: true,
    groups,
    trials: noTrials,
  });
  return verdict.step === merchantStep ? undefined : verdict;
}
