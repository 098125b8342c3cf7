import { hourMs, minuteMs } from '../domain/clock.ts';
import { declineCategories } from '../domain/declines/decline.ts';
import { daysAfter } from './days-after.ts';
import { type Decision, declineAt } from './decisions.ts';
import type { History } from './history.ts';

/** Foretells the outcome of a try at a time; the doubly robust estimate corrects its errors. */
export interface OutcomeModel {
  /** The chance of a success, learned from other payers than the decision's. */
  chance(decision: Decision, atMs: number): number;
}

/** Days after the last try, up to which times count alike. */
const delayDays = [0.5, 1, 1.5, 2.5, 3.5, 5.5, 7.5, 10.5, 14.5, 21.5] as const;
const maxTries = 4;
const nightEndsHour = 6;
/** Tries of the mean of its kind, or of all, that every cell is begun with: few data shrink towards it. */
const shrinkage = 20;

const delays = delayDays.length + 1;
const kinds = (maxTries + 1) * declineCategories.length * 2;
const timesOfKind = delays * 2;

/**
 * Shares of success by tries so far, category of the last decline, whether the issuer advised a wait, delay and
 * night, in two halves of the payers: each is predicted by the other.
 */
export function fitOutcomes(history: History, decisions: readonly Decision[]): OutcomeModel {
  const categories = history.declines.map(({ category }) => declineCategories.indexOf(category));
  const cellAt = ({ number, lastRow }: Decision, atMs: number): number => {
    const days = daysAfter(history.atMs[lastRow] ?? 0, atMs);
    let delay = 0;
    while (days > (delayDays[delay] ?? Number.POSITIVE_INFINITY)) delay += 1;
    const localMs = atMs + (history.offsets[lastRow] ?? 0) * minuteMs;
    const night = Math.floor(localMs / hourMs) % 24 < nightEndsHour ? 1 : 0;
    const category = categories[history.declineOf[lastRow] ?? -1] ?? 0;
    const advised = (declineAt(history, lastRow).waitMs ?? 0) > 0 ? 1 : 0;
    const tries = Math.min(number, maxTries);
    const kind = (tries * declineCategories.length + category) * 2 + advised;
    return kind * timesOfKind + delay * 2 + night;
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
  const none = () => ({ tried: 0, succeeded: 0 });
  const all = none();
  const ofKinds = Array.from({ length: kinds }, none);
  const ofCells = Array.from({ length: kinds * timesOfKind }, none);
  for (const decision of decisions) {
    const { nextRow } = decision;
    if (nextRow === undefined) continue;
    const cell = cellAt(decision, history.atMs[nextRow] ?? 0);
    for (const counts of [all, ofKinds[Math.floor(cell / timesOfKind)], ofCells[cell]]) {
      if (counts === undefined) continue;
      counts.tried += 1;
      counts.succeeded += history.outcomes[nextRow] ?? 0;
    }
  }
  const mean = all.succeeded / Math.max(1, all.tried);
  const shrunk = ({ tried, succeeded }: ReturnType<typeof none>, to: number): number =>
    (succeeded + shrinkage * to) / (tried + shrinkage);
  const means = ofKinds.map((counts) => shrunk(counts, mean));
  return Float64Array.from(ofCells, (counts, cell) =>
    shrunk(counts, means[Math.floor(cell / timesOfKind)] ?? mean),
  );
}
