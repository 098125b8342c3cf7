import { clusterBootstrap, type Estimate } from '../../evaluation/cluster-bootstrap.ts';
import { seededUnit } from '../../evaluation/seeded-unit.ts';
import { daysToWait, type TrialRecord } from './trial-pause.ts';

/** Shares of the payments that the model plans, each to be earned by the one before. */
export const takeOverSteps = [0, 0.1, 0.5, 0.9] as const;
export type TakeOverStep = (typeof takeOverSteps)[number];

/** Payments of one group of payers: those that the model planned, and those on the schedule. */
export interface TakeOverGroup {
  readonly learned: number;
  readonly learnedPaid: number;
  readonly scheduled: number;
  readonly scheduledPaid: number;
}

export interface TakeOverInput {
  readonly step: TakeOverStep;
  /** Whether a model that was trained here is in use and trusted. */
  readonly hasTrainedModel: boolean;
  /** Payments whose windows have ended since the step began. */
  readonly groups: readonly TakeOverGroup[];
  /** What became of earlier trials. */
  readonly trials: TrialRecord;
}

export interface TakeOverVerdict {
  readonly step: TakeOverStep;
  /** Why, in a sentence for merchants. */
  readonly message: string;
  /** Trials lost in a row from now on. */
  readonly failedTrials: number;
}

/** Fewer payments of an arm are not judged. */
export const minPayments = 200;
/** The learned policy is not worse where it surely recovers at most so much less. */
export const marginShare = 0.01;

/**
 * Which share of the payments the model plans from now on. It begins with a tenth once a trained model
 * is there; it goes up a step where its own payments came back as often as those on the schedule, with
 * 95 % confidence and within a point, and down where they surely came back less often. After a trial
 * that was lost the next one waits.
 */
export function judgeTakeOver(input: TakeOverInput): TakeOverVerdict {
  const { step, hasTrainedModel, trials } = input;
  const { failedTrials } = trials;
  const at = takeOverSteps.indexOf(step);
  const down = takeOverSteps[at - 1] ?? 0;
  const up = takeOverSteps[at + 1] ?? step;
  if (!hasTrainedModel) {
    const message = 'No model is trained from own tries yet, or none is trusted.';
    return { step: 0, message, failedTrials };
  }
  if (step === 0) return beginTrial(trials);
  const difference = differenceOf(input.groups);
  if (difference === undefined) {
    const message = `Too few payments have ended to compare: ${minPayments} of each are asked for.`;
    return { step, message, failedTrials };
  }
  const { low, high } = difference;
  const said = `the learned policy recovered ${inWords(difference)}`;
  if (high < 0) {
    const lost = failedTrials + (down === 0 ? 1 : 0);
    return { step: down, message: `A step back: ${said}.`, failedTrials: lost };
  }
  if (low < -marginShare) return { step, message: `Not sure yet: ${said}.`, failedTrials };
  return {
    step: up,
    message: `${up === step ? 'No change' : 'A step up'}: ${said}.`,
    failedTrials: 0,
  };
}

function beginTrial(trials: TrialRecord): TakeOverVerdict {
  const { failedTrials } = trials;
  const days = daysToWait(trials);
  if (days === 0) {
    const message = 'A trained model plans a tenth of the payments on trial.';
    return { step: 0.1, message, failedTrials };
  }
  const lost = failedTrials === 1 ? 'The last trial was' : `The last ${failedTrials} trials were`;
  const message = `${lost} lost: the next one begins in ${days} ${days === 1 ? 'day' : 'days'}, or once another part of a model plans or an operator makes a model active.`;
  return { step: 0, message, failedTrials };
}

function differenceOf(groups: readonly TakeOverGroup[]) {
  const column = (of: (group: TakeOverGroup) => number) => Float64Array.from(groups, of);
  const sums = [
    column(({ learned }) => learned),
    column(({ learnedPaid }) => learnedPaid),
    column(({ scheduled }) => scheduled),
    column(({ scheduledPaid }) => scheduledPaid),
  ];
  const total = (at: number) => sums[at]?.reduce((sum, value) => sum + value, 0) ?? 0;
  if (Math.min(total(0), total(2)) < minPayments) return undefined;
  const [estimate] = clusterBootstrap({
    sums,
    statistics: [([a = 0, b = 0, c = 0, d = 0]) => b / a - d / c],
    unit: seededUnit(1),
  });
  return estimate;
}

function inWords({ value, low, high }: Estimate): string {
  return value < 0
    ? `${points(-value)} points less (95 %: ${points(-high)} to ${points(-low)})`
    : `${points(value)} points more (95 %: ${points(low)} to ${points(high)})`;
}

function points(share: number): string {
  return (share * 100).toFixed(1);
}
