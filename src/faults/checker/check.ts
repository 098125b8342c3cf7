import type { WorldRecord } from '../record.ts';
import type { Dump } from './dump.ts';
import { type Facts, gatherFacts } from './facts.ts';
import {
  everyRequestIsApplied,
  everythingSettles,
  nothingIsForgotten,
} from './rules/liveness-rules.ts';
import {
  neverAfterPaidElsewhere,
  neverMoreThanOwed,
  neverTwice,
  neverWithoutYes,
  stopIsStop,
} from './rules/money-rules.ts';
import { askedAtItsAccount, networkLimitsHold } from './rules/outside-rules.ts';
import {
  eachChargeIsTold,
  eventsAreSound,
  noSuccessInvented,
  noSuccessLost,
  oneEventForEachAttempt,
} from './rules/record-rules.ts';

/** A promise that was broken, and how. */
export interface Violation {
  readonly rule: string;
  readonly words: string;
}

/** All promises, by the names that a failure is told under. */
export const rules: Readonly<Record<string, (facts: Facts) => readonly string[]>> = {
  'never twice': neverTwice,
  'never after it was paid elsewhere': neverAfterPaidElsewhere,
  'never without a fresh yes': neverWithoutYes,
  'never more than owed': neverMoreThanOwed,
  'a stop is a stop': stopIsStop,
  'no success is lost': noSuccessLost,
  'no success is invented': noSuccessInvented,
  'each charge is told once': eachChargeIsTold,
  'one event for each attempt': oneEventForEachAttempt,
  'events are sound': eventsAreSound,
  'every request is applied': everyRequestIsApplied,
  'nothing is forgotten': nothingIsForgotten,
  'everything settles': everythingSettles,
  "networks' limits hold": networkLimitsHold,
  'asked at its account': askedAtItsAccount,
};

/** Judges a run by what the world outside knows and the tables hold; it shares no code with them. */
export function check(record: WorldRecord, dump: Dump): readonly Violation[] {
  const facts = gatherFacts(record, dump);
  return Object.entries(rules).flatMap(([rule, broken]) =>
    broken(facts).map((words) => ({ rule, words })),
  );
}
