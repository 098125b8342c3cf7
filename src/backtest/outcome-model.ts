import { dayMs, hourMs, minuteMs } from '../domain/clock.ts';
import { declineCategories } from '../domain/declines/decline.ts';
import type { Decision } from './decisions.ts';
import type { History } from './history.ts';

/** Foretells the outcome of a try at a time; the doubly robust estimate corrects its errors. */
export interface OutcomeModel {
  /** The chance of a success, learned from other payers than the decision's. */
  chance(decision: Decision, atMs: number): number;
}

/** Days after the last try, up to which times count alike. */
const delayDays = [0.5, 1.5, 3.5, 7.5, 14.5] as const;
const maxTries = 3;
const nightEndsHour = 6;
/** Tries of the mean that every cell is begun with: few data shrink towards it. */
const shrinkage = 20;

const delays = delayDays.length + 1;
const cells = (maxTries + 1) * declineCategories.length * delays * 2;

/**
 * Shares of success by tries so far, category of the last decline, delay and night, in two halves of
 * the payers: each is predicted by the other.
 */
export function fitOutcomes(history: History, decisions: readonly Decision[]): OutcomeModel {
  const categories = history.declines.map(({ category }) => declineCategories.indexOf(category));
  const cellAt = ({ number, lastRow }: Decision, atMs: number): number => {
    const days = (atMs - (history.atMs[lastRow] ?? 0)) / dayMs;
    let delay = 0;
    while (days > (delayDays[delay] ?? Number.POSITIVE_INFINITY)) delay += 1;
    const localMs = atMs + (history.offsets[lastRow] ?? 0) * minuteMs;
    const night = Math.floor(localMs / hourMs) % 24 < nightEndsHour ? 1 : 0;
    const category = categories[history.declineOf[lastRow] ?? -1] ?? 0;
    const tries = Math.min(number, maxTries);
    return ((tries * declineCategories.length + category) * delays + delay) * 2 + night;
  };
  const chances = [0, 1].map((half) => {
    const others = decisions.filter(({ episode }) => episode.customer % 2 !== half);
    return sharesOf(history, others, cellAt);
  });
  return {
    chance: (decision, atMs) =>
      chances[decision.episode.customer % 2]?.[cellAt(decision, atMs)] ?? 0,
  };
}

function sharesOf(
  history: History,
  decisions: readonly Decision[],
  cellAt: (decision: Decision, atMs: number) => number,
): Float64Array {
  const [tried, succeeded] = [new Float64Array(cells), new Float64Array(cells)];
  let [allTried, allSucceeded] = [0, 0];
  for (const decision of decisions) {
    const { nextRow } = decision;
    if (nextRow === undefined) continue;
    const cell = cellAt(decision, history.atMs[nextRow] ?? 0);
    const success = history.outcomes[nextRow] ?? 0;
    tried[cell] = (tried[cell] ?? 0) + 1;
    succeeded[cell] = (succeeded[cell] ?? 0) + success;
    allTried += 1;
    allSucceeded += success;
  }
  const mean = allSucceeded / Math.max(1, allTried);
  return tried.map((count, at) => ((succeeded[at] ?? 0) + shrinkage * mean) / (count + shrinkage));
}
