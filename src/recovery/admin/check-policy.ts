import { exploreShareMost, holdoutShareMost, type PolicySettings } from '../../domain/merchant.ts';

const windowDaysMost = 60;
const attemptsMost = 20;

/** What is wrong with a merchant's retry settings, a sentence each; the limits are the domain's. */
export function policyFaults(policy: PolicySettings): string[] {
  const counts = [
    ...countFaults('policy.window_days', policy.windowDays, windowDaysMost),
    ...countFaults('policy.max_attempts', policy.maxAttempts, attemptsMost),
  ];
  if (counts.length > 0) return counts;
  return [
    ...fixedDaysFaults(policy),
    ...shareFaults('policy.holdout_share', policy.holdoutShare, holdoutShareMost),
    ...shareFaults('policy.learned_share', policy.learnedShare, 1),
    ...shareFaults('policy.explore_share', policy.exploreShare, exploreShareMost),
  ];
}

function shareFaults(field: string, share: number | undefined, most: number): string[] {
  if (share === undefined || (share >= 0 && share <= most)) return [];
  return [`${field} must be a number from 0 to ${most}.`];
}

function countFaults(field: string, count: number, most: number): string[] {
  if (Number.isInteger(count) && count >= 1 && count <= most) return [];
  return [`${field} must be a whole number from 1 to ${most}.`];
}

function fixedDaysFaults({ kind, fixedDays, windowDays }: PolicySettings): string[] {
  const field = 'policy.fixed_days';
  if (fixedDays.length < 1 || fixedDays.length > attemptsMost) {
    return [`${field} must name 1 to ${attemptsMost} days.`];
  }
  if (fixedDays.some((day) => !Number.isInteger(day) || day < 1 || day > windowDaysMost)) {
    return [`${field} must be whole numbers from 1 to ${windowDaysMost}.`];
  }
  if (fixedDays.some((day, index) => day <= (fixedDays[index - 1] ?? 0))) {
    return [`${field} must rise from day to day.`];
  }
  // An even schedule keeps the days for the time that the merchant goes back to a fixed one.
  if (kind !== 'even' && fixedDays.some((day) => day > windowDays)) {
    return [`${field} must lie inside the window of ${windowDays} days.`];
  }
  return [];
}
