import type { WorldRecord } from '../record.ts';
import type { Dump } from './dump.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { askedForAgainComesAgain, contradictionsAreSeen } from './rules/later-rules.ts';
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
  noAnswerThrownAway,
  noSuccessInvented,
  noSuccessLost,
  oneEventForEachAttempt,
} from './rules/record-rules.ts';

/** A promise that was broken, and how. */
export interface Violation {
  readonly rule: string;
  readonly words: string;
}

type Rules = Readonly<Record<string, (facts: Facts) => readonly string[]>>;

/** Promises that stay broken, whatever comes after: they can be judged at any time. */
const lasting: Rules = {
  'never twice': neverTwice,
  'never after it was paid elsewhere': neverAfterPaidElsewhere,
  'never without a fresh yes': neverWithoutYes,
  'never more than owed': neverMoreThanOwed,
  'a stop is a stop': stopIsStop,
  'no success is invented': noSuccessInvented,
  'no answer is thrown away': noAnswerThrownAway,
  'events are sound': eventsAreSound,
  "networks' limits hold": networkLimitsHold,
  'asked at its account': askedAtItsAccount,
};

/** All promises, by the names that a failure is told under. */
export const rules: Rules = {
  ...lasting,
  'no success is lost': noSuccessLost,
  'each charge is told once': eachChargeIsTold,
  'one event for each attempt': oneEventForEachAttempt,
  'asked for again, it comes again': askedForAgainComesAgain,
  'a contradiction is seen': contradictionsAreSeen,
  'every request is applied': everyRequestIsApplied,
  'nothing is forgotten': nothingIsForgotten,
  'everything settles': everythingSettles,
};

/** Judges a run by what the world outside knows and the tables hold; it shares no code with them. */
export function check(record: WorldRecord, dump: Dump): readonly Violation[] {
  return judge(rules, record, dump);
}

/** The same before a run has come to its end: whether anything is broken for good. */
export function checkSoFar(record: WorldRecord, dump: Dump): readonly Violation[] {
  return judge(lasting, record, dump);
}

function judge(by: Rules, record: WorldRecord, dump: Dump): readonly Violation[] {
  const facts = gatherFacts(record, dump);
  return Object.entries(by).flatMap(([rule, broken]) =>
    broken(facts).map((words) => ({ rule, words })),
  );
}
