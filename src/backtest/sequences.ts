import { dayMs } from '../domain/clock.ts';
import type { Decision } from './decisions.ts';
import type { JudgeInput } from './judge-policy.ts';

/** Payments that have ended and whose every choice is known, one entry of each array for each. */
export interface Sequences {
  /** The last decision of each. */
  readonly ends: readonly Decision[];
  /** The chance with which the log took all of its choices. */
  readonly propensities: Float64Array;
  /** The chance with which the policy would have taken the same. */
  readonly targets: Float64Array;
  /** 1 where it was recovered. */
  readonly recovered: Float64Array;
}

/**
 * A payment's choices in a row: each must be the policy's, and where the log ended it must end. One whose window
 * lasts beyond the history is left out, recovered or not: the log had not ended it, and of the young ones those
 * alone would be known that were recovered soon.
 */
export function sequencesOf(input: JudgeInput): Sequences {
  const { history, terms, decisions, chosenMs, logging, toleranceHours } = input;
  const lastMs = history.atMs.reduce((last, atMs) => Math.max(last, atMs), 0);
  const hasEnded = ({ episode }: Decision) =>
    (history.atMs[episode.rows[0] ?? 0] ?? 0) + terms.windowDays * dayMs <= lastMs;
  const blurHours = logging.kind === 'logged' ? toleranceHours : 0;
  const ends: Decision[] = [];
  const [propensities, targets, recovered]: [number[], number[], number[]] = [[], [], []];
  let [propensity, target, isKnown] = [1, 1, true];
  decisions.forEach((decision, at) => {
    if (decision.number === 0) [propensity, target, isKnown] = [1, 1, true];
    const chosen = chosenMs[at] ?? Number.NaN;
    const chance = decision.nextRow === undefined ? 1 : logging.propensity(decision);
    isKnown &&= chance !== undefined;
    propensity *= chance ?? 1;
    const isEnd = decision.nextRow === undefined;
    if (isEnd || Number.isNaN(chosen)) target *= isEnd && Number.isNaN(chosen) ? 1 : 0;
    else target *= logging.target(decision, chosen, blurHours, terms);
    const isLast = decisions[at + 1]?.episode !== decision.episode;
    if (!isLast || !isKnown || !hasEnded(decision)) return;
    ends.push(decision);
    propensities.push(propensity);
    targets.push(target);
    recovered.push(history.outcomes[decision.nextRow ?? -1] ?? 0);
  });
  return {
    ends,
    propensities: Float64Array.from(propensities),
    targets: Float64Array.from(targets),
    recovered: Float64Array.from(recovered),
  };
}

/** Payers of decisions, numbered from 0 without gaps. */
export function numbered(decisions: readonly Decision[]): Int32Array {
  return numberedFromZero(decisions.map(({ episode }) => episode.customer));
}

/** Numbers of these in the order of their coming, without gaps. */
export function numberedFromZero(keys: readonly number[]): Int32Array {
  const numbers = new Map<number, number>();
  return Int32Array.from(keys, (key) => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  });
}
