import { startOfUtcDay, utcDay } from '../normalise/utc-days.ts';
import type { PriorRuleSet } from './rule-sets.ts';

/** When a customer's charges can serve as priors of a dispute about a later charge. */
export type Maturity =
  /** From `at` on, and for charges disputed before `until`. `at` may be past. */
  | { readonly kind: 'matures'; readonly at: Date; readonly until: Date }
  /** Too few charges share enough with this one; `have` counts those that do, itself included. */
  | { readonly kind: 'too_few'; readonly have: number };

/**
 * When two priors will be old enough, for the answer to an analytics record: of charges of one card
 * that are in good standing and known to share enough, that of the analytics record included. Days
 * are those of the UTC calendar.
 */
export function priorsMatureAt(input: {
  ruleSet: PriorRuleSet;
  chargedAt: readonly Date[];
  now: Date;
}): Maturity {
  const { ruleSet, chargedAt, now } = input;
  const days = chargedAt
    .map(utcDay)
    .filter((day) => day + ruleSet.maxDays >= utcDay(now))
    .sort((a, b) => a - b);
  const windows = days.flatMap((newer, index) =>
    days.slice(0, index).map((older) => windowOf(ruleSet, older, newer)),
  );
  return nextOf(windows, { have: days.length, now });
}

/** UTC days. */
interface Window {
  readonly from: number;
  readonly until: number;
}

function windowOf(ruleSet: PriorRuleSet, older: number, newer: number): Window {
  return { from: newer + ruleSet.minDays, until: older + ruleSet.maxDays + 1 };
}

/** The earliest window that is not over; of several that begin together, the longest. */
function nextOf(
  windows: readonly Window[],
  { have, now }: { readonly have: number; readonly now: Date },
): Maturity {
  const next = windows
    .filter(({ from, until }) => from < until && until > utcDay(now))
    .sort((a, b) => a.from - b.from || b.until - a.until)[0];
  return next === undefined
    ? { kind: 'too_few', have }
    : { kind: 'matures', at: startOfUtcDay(next.from), until: startOfUtcDay(next.until) };
}
