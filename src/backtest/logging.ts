import { dayMs, hourMs } from '../domain/clock.ts';
import { carries } from '../policy/evaluation/off-policy.ts';
import { daysAfter } from './days-after.ts';
import type { Decision, Terms } from './decisions.ts';
import { declineAt } from './decisions.ts';
import type { History } from './history.ts';

/**
 * What is known of how the logged times were chosen. `logged`: the history gives the propensity of
 * each hour that was taken. `estimated`: it gives none, and the chance of each day is counted.
 */
export interface Logging {
  readonly kind: 'logged' | 'estimated';
  /** The chance with which the log took the try that it took; undefined where it is not known. */
  propensity(decision: Decision): number | undefined;
  /**
   * The chance with which a policy, that would try at `chosenMs`, takes the try that was logged.
   * `blurHours` spreads its choice evenly over the hours around it; days are not spread.
   */
  target(decision: Decision, chosenMs: number, blurHours: number, terms: Terms): number;
}

/** Decisions of a kind, below which days are not counted apart. */
const minStratum = 50;
/** Of a log of which so many tries were on the one day of their kind, no day was left to chance. */
const scheduledShare = 0.9;

/** Reads propensities where at least a hundred tries give one, else counts days. */
export function readLogging(history: History, decisions: readonly Decision[]): Logging {
  const given = decisions.filter(({ nextRow }) => {
    const chance =
      nextRow === undefined ? Number.NaN : (history.propensities[nextRow] ?? Number.NaN);
    return chance < 1;
  });
  return given.length >= 100 ? loggedChances(history) : countedDays(history, decisions);
}

function loggedChances(history: History): Logging {
  const hourOf = (ms: number, row: number) =>
    Math.floor((ms + (history.offsets[row] ?? 0) * 60_000) / hourMs);
  /** Until when the issuer advised to wait: a choice of an earlier hour was moved there. */
  const allowedMs = ({ lastRow }: Decision) =>
    (history.atMs[lastRow] ?? 0) + (declineAt(history, lastRow).waitMs ?? 0);
  const isMoved = (decision: Decision, row: number) =>
    allowedMs(decision) > (history.atMs[decision.lastRow] ?? 0) &&
    Math.abs((history.atMs[row] ?? 0) - allowedMs(decision)) <= hourMs;
  const isCertain = (row: number) => !((history.propensities[row] ?? Number.NaN) < 1);
  return {
    kind: 'logged',
    propensity(decision) {
      const { nextRow } = decision;
      const chance = nextRow === undefined ? undefined : history.propensities[nextRow];
      if (nextRow === undefined || chance === undefined || !(chance <= 1)) return undefined;
      // A choice that was certain tells nothing of other times, whoever would have made them. Where advice
      // left no other, it binds every policy: without these, payers whom it helps would be missing.
      return chance < 1 || isMoved(decision, nextRow) ? chance : undefined;
    },
    target(decision, chosenMs, blurHours, { windowDays }) {
      const { episode, lastRow, nextRow } = decision;
      if (nextRow === undefined) return 0;
      const chosen = hourOf(chosenMs, lastRow);
      const taken = hourOf(history.atMs[nextRow] ?? 0, lastRow);
      if (isCertain(nextRow)) return Math.abs(taken - chosen) <= 1 ? 1 : 0;
      const allowed = hourOf(allowedMs(decision) + hourMs - 1, lastRow);
      const failedMs = history.atMs[episode.rows[0] ?? 0] ?? 0;
      const begin = Math.min(chosen, hourOf(history.atMs[lastRow] ?? 0, lastRow) + 1);
      const first = Math.max(chosen - blurHours, begin);
      const last = Math.min(chosen + blurHours, hourOf(failedMs + windowDays * dayMs, lastRow));
      if (taken > last || taken < Math.max(first, allowed)) return 0;
      const movedHere = taken <= allowed ? taken - first + 1 : 1;
      return movedHere / Math.max(1, last - first + 1);
    },
  };
}

function countedDays(history: History, decisions: readonly Decision[]): Logging {
  const daysAhead = ({ lastRow }: Decision, ms: number) =>
    Math.round(daysAfter(history.atMs[lastRow] ?? 0, ms));
  const counts = new Map<string, number>();
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const strataOf = (decision: Decision): readonly string[] => {
    const { category, waitMs = 0 } = declineAt(history, decision.lastRow);
    // An advised wait binds every policy: its days are no rare choice among those of other declines.
    const wait = Math.round(waitMs / hourMs);
    const coarse = wait > 0 ? `wait of ${wait}` : `${decision.number}`;
    return [`${decision.number}/${category}/${wait}`, coarse];
  };
  for (const decision of decisions) {
    if (decision.nextRow === undefined) continue;
    const day = daysAhead(decision, history.atMs[decision.nextRow] ?? 0);
    for (const stratum of strataOf(decision)) {
      count(stratum);
      count(`${stratum}/${day}`);
    }
  }
  const chanceOf = (decision: Decision, nextRow: number): number => {
    const day = daysAhead(decision, history.atMs[nextRow] ?? 0);
    const [fine = '', coarse = ''] = strataOf(decision);
    const stratum = (counts.get(fine) ?? 0) >= minStratum ? fine : coarse;
    return (counts.get(`${stratum}/${day}`) ?? 0) / (counts.get(stratum) ?? 1);
  };
  const chances = decisions.flatMap((decision) =>
    decision.nextRow === undefined ? [] : chanceOf(decision, decision.nextRow),
  );
  const certain = chances.filter((chance) => chance >= carries.maxPropensity);
  // The few tries apart from a schedule have reasons of their own. Taken for chance, each would weigh as hundreds.
  const isSchedule = certain.length >= scheduledShare * chances.length;
  return {
    kind: 'estimated',
    propensity(decision) {
      const { nextRow } = decision;
      if (nextRow === undefined) return undefined;
      return isSchedule ? 1 : chanceOf(decision, nextRow);
    },
    target(decision, chosenMs) {
      if (decision.nextRow === undefined) return 0;
      const taken = daysAhead(decision, history.atMs[decision.nextRow] ?? 0);
      return taken === daysAhead(decision, chosenMs) ? 1 : 0;
    },
  };
}
