import type { PolicySettings } from '../../domain/merchant.ts';
import type { SimulatedPolicy } from '../observed.ts';
import { decidePolicy, hoursPolicy, solidgatePolicy } from './simple-policies.ts';

/**
 * Schedules that merchants and vendors use, by days after the failure, at most eight tries: Stripe's
 * eight tries in two weeks, Braintree's waits of 5 and 10 days, Recurly's legacy six retries every
 * three days, Yuno's hours (two within the first hour are told apart by the world's whole hours).
 */
export const namedDays = {
  daily: [1, 2, 3, 4, 5, 6, 7, 8],
  '1_3_5_7': [1, 3, 5, 7],
  '3_8_15': [3, 8, 15],
  '3_7_14_21': [3, 7, 14, 21],
  every_3: [3, 6, 9, 12, 15, 18, 21, 24],
  every_5: [5, 10, 15, 20, 25],
  every_7: [7, 14, 21, 28],
  stripe: [1, 2, 3, 5, 7, 9, 11, 14],
  braintree: [5, 15],
  recurly: [3, 6, 9, 12, 15, 18],
} as const;

const yunoHours = [1, 2, 5, 24, 48, 96];
const evenTries = 8;

/** The fixed schedules for a window of so many days; times behind its end fall away. */
export function fixedFamily(windowDays: number): readonly SimulatedPolicy[] {
  return [
    ...Object.entries(namedDays).map(([name, all]) => dayPolicy(name, windowDays, all)),
    decidePolicy('even', { kind: 'even', windowDays, maxAttempts: evenTries }),
    hoursPolicy('yuno', yunoHours),
    solidgatePolicy,
  ];
}

/** The service's own policy on these days after the failure. */
export function dayPolicy(
  name: string,
  windowDays: number,
  all: readonly number[],
): SimulatedPolicy {
  const fixedDays = all.filter((day) => day <= windowDays);
  const settings: PolicySettings = {
    kind: 'fixed',
    windowDays,
    maxAttempts: fixedDays.length,
    fixedDays,
  };
  return decidePolicy(name, settings);
}
