import type { Statistic } from './cluster-bootstrap.ts';

/** What is summed of each stratum, in this order. */
const [countAt, weightAt, weightedAt, errorAt, foretoldAt] = [0, 1, 2, 3, 4] as const;
const width = 5;

/** One entry of each array for each decision. */
export interface StratumColumns {
  /** The stratum of each decision, from 0 without gaps. */
  readonly strata: Int32Array;
  readonly weights: Float64Array;
  readonly rewards: Float64Array;
  /** A model's rewards: of what was taken, and of what the policy in question would take. */
  readonly predicted: { readonly logged: Float64Array; readonly target: Float64Array };
}

/** Columns to be summed over decisions: five of each stratum, zero outside it. */
export function stratumColumns(of: StratumColumns): readonly Float64Array[] {
  const { strata, weights, rewards, predicted } = of;
  const count = strata.reduce((max, stratum) => Math.max(max, stratum + 1), 0);
  const columns = Array.from({ length: count * width }, () => new Float64Array(strata.length));
  strata.forEach((stratum, at) => {
    const [weight, reward] = [weights[at] ?? 0, rewards[at] ?? 0];
    const error = weight * (reward - (predicted.logged[at] ?? 0));
    const values = [1, weight, weight * reward, error, predicted.target[at] ?? 0];
    values.forEach((value, part) => {
      const column = columns[stratum * width + part];
      if (column !== undefined) column[at] = value;
    });
  });
  return columns;
}

/**
 * The mean of the strata's values, each by its number of decisions, so that a kind of decision of which the
 * log tried less than of others counts as it comes. Those of which it tried nothing are left out.
 *
 * @param from the place of the first stratum's columns among all
 * @param meanOf a stratum's mean of what is estimated, from its sums
 */
function meanOfStrata(from: number, meanOf: (sums: StratumSums) => number): Statistic {
  return (totals) => {
    let [sum, decisions] = [0, 0];
    for (let at = from; at < totals.length; at += width) {
      const part = (of: number) => totals[at + of] ?? 0;
      const [count, weight] = [part(countAt), part(weightAt)];
      if (weight <= 0) continue;
      const sums = { count, weight, weighted: part(weightedAt), error: part(errorAt) };
      sum += count * meanOf({ ...sums, foretold: part(foretoldAt) });
      decisions += count;
    }
    return sum / decisions;
  };
}

interface StratumSums {
  readonly count: number;
  readonly weight: number;
  readonly weighted: number;
  readonly error: number;
  readonly foretold: number;
}

/** Self-normalised inverse propensity scoring (Swaminathan and Joachims 2015) in each stratum. */
export const snipsOfStrata = (from: number): Statistic =>
  meanOfStrata(from, ({ weight, weighted }) => weighted / weight);

/** The doubly robust estimate (Dudik, Langford and Li 2011), its correction self-normalised, in each stratum. */
export const doublyRobustOfStrata = (from: number): Statistic =>
  meanOfStrata(from, ({ count, weight, error, foretold }) => foretold / count + error / weight);
