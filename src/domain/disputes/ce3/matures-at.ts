import { startOfUtcDay, utcDay } from '../words/utc-days.ts';
import type { PriorRuleSet } from './rule-sets.ts';
import { countElements, hasAnchor, sharedElements } from './shared-elements.ts';
import { isInGoodStanding, newestFirst } from './sift-priors.ts';
import type { EvidenceTransaction, PriorTransaction } from './transactions.ts';
import { usableElements } from './usable-elements.ts';

/** When a customer's charges can serve as priors of a dispute about a later charge. */
export type Maturity =
  /** From `at` on, and for charges disputed before `until`. `at` may be past. */
  | { readonly kind: 'matures'; readonly at: Date; readonly until: Date }
  /** Too few charges share enough with this one; `have` counts those that do, itself included. */
  | { readonly kind: 'too_few'; readonly have: number };

/**
 * When two priors will be old enough, for the answer to a capture. `latest` is the charge of the
 * capture: a later charge of the customer is taken to have its elements. It counts as a prior
 * itself, if it is among the charges. Days are those of the UTC calendar.
 */
export function maturesAt(input: {
  ruleSet: PriorRuleSet;
  latest: EvidenceTransaction;
  charges: readonly PriorTransaction[];
  now: Date;
}): Maturity {
  const { ruleSet, latest, now } = input;
  const { values } = usableElements(latest, latest.psp);
  const suffices = (bits: number): boolean => {
    const shared = countElements(bits);
    return shared.length >= ruleSet.leastElements && hasAnchor(shared);
  };
  const usable = newestFirst(
    input.charges.filter((one) => one.credential === latest.credential && isInGoodStanding(one)),
  )
    .filter(({ processedAt }) => utcDay(processedAt) + ruleSet.mostDays >= utcDay(now))
    .map((charge) => ({
      day: utcDay(charge.processedAt),
      bits: sharedElements(values, charge, latest.psp),
    }))
    .filter(({ bits }) => suffices(bits))
    .reverse();
  const windows = usable.flatMap((newer, index) =>
    usable
      .slice(0, index)
      .filter((older) => suffices(older.bits & newer.bits))
      .map((older) => windowOf(ruleSet, older.day, newer.day)),
  );
  return nextOf(windows, { have: usable.length, now });
}

/** The same of charges that are known to share enough, of one card and in good standing. */
export function likeChargesMatureAt(input: {
  ruleSet: PriorRuleSet;
  chargedAt: readonly Date[];
  now: Date;
}): Maturity {
  const { ruleSet, chargedAt, now } = input;
  const days = chargedAt
    .map(utcDay)
    .filter((day) => day + ruleSet.mostDays >= utcDay(now))
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
  return { from: newer + ruleSet.leastDays, until: older + ruleSet.mostDays + 1 };
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
