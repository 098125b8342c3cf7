import {
  daysOf,
  maxExploreShare,
  maxHoldoutShare,
  type PolicySettings,
  sharesOf,
} from '../../domain/merchant.ts';

const maxWindowDays = 60;
const maxTries = 20;

/** What is wrong with a merchant's retry settings, a sentence each; the limits are the domain's. */
export function policyFaults(policy: PolicySettings): string[] {
  const counts = [
    ...countFaults('policy.window_days', policy.windowDays, maxWindowDays),
    ...countFaults('policy.max_attempts', policy.maxAttempts, maxTries),
  ];
  if (counts.length > 0) return counts;
  const { holdoutShare, learnedShare, exploreShare } = sharesOf(policy);
  return [
    ...fixedDaysFaults(policy),
    ...shareFaults('policy.holdout_share', holdoutShare, maxHoldoutShare),
    ...shareFaults('policy.learned_share', learnedShare, 1),
    ...shareFaults('policy.explore_share', exploreShare, maxExploreShare),
  ];
}

function shareFaults(field: string, share: number | undefined, max: number): string[] {
  if (share === undefined || (share >= 0 && share <= max)) return [];
  return [`${field} must be a number from 0 to ${max}.`];
}

function countFaults(field: string, count: number, max: number): string[] {
  if (Number.isInteger(count) && count >= 1 && count <= max) return [];
  return [`${field} must be a whole number from 1 to ${max}.`];
}

function fixedDaysFaults(policy: PolicySettings): string[] {
  const { kind, windowDays } = policy;
  const fixedDays = daysOf(policy);
  const field = 'policy.fixed_days';
  if (fixedDays.length < 1 || fixedDays.length > maxTries) {
    return [`${field} must name 1 to ${maxTries} days.`];
  }
  if (fixedDays.some((day) => !Number.isInteger(day) || day < 1 || day > maxWindowDays)) {
    return [`${field} must be whole numbers from 1 to ${maxWindowDays}.`];
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
