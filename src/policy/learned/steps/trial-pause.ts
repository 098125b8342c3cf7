/** Trials of a merchant's learned policy that were lost, and what would be tried next. */
export interface TrialRecord {
  /** Trials lost in a row. */
  readonly failedTrials: number;
  readonly windowDays: number;
  /** Since the step back. */
  readonly daysSince: number;
  /** Whether another part of a model plans now than the one that lost, or a person chose the model since. */
  readonly isAnother: boolean;
}

/** No pause is longer: payers change within half a year. */
const maxPauseDays = 180;

/** Days until the next trial: a window after the first that was lost, and twice as long after each further one. */
export function pauseDays(failedTrials: number, windowDays: number): number {
  if (failedTrials === 0) return 0;
  return Math.max(windowDays, Math.min(maxPauseDays, windowDays * 2 ** (failedTrials - 1)));
}

/** Days that the next trial has to wait; 0 where it may begin. */
export function daysToWait({
  failedTrials,
  windowDays,
  daysSince,
  isAnother,
}: TrialRecord): number {
  return isAnother ? 0 : Math.max(0, Math.ceil(pauseDays(failedTrials, windowDays) - daysSince));
}
