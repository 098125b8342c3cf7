import { lastTryMs, recencyOf } from '../recency.ts';
import type { TrainingRow } from '../retry-facts.ts';

/** No try counts more than so many times the median, however rarely it would have been made. */
const maxWeight = 5;
/** The inverse of each propensity, against their median, within bounds; newer tries count more. */
export function rowWeights(rows: readonly TrainingRow[]): Float32Array {
  const lastMs = lastTryMs(rows);
  return clippedWeights(rows).map((weight, at) => {
    const row = rows[at];
    return row === undefined ? weight : weight * recencyOf(row, lastMs);
  });
}

/** The inverse of each propensity alone: judging is of all tries alike. */
export function clippedWeights(rows: readonly TrainingRow[]): Float32Array {
  const weights = Float32Array.from(rows, ({ propensity }) => 1 / Math.max(propensity, 1e-6));
  const middle = Float32Array.from(weights).sort()[Math.floor(rows.length / 2)] ?? 1;
  return weights.map((weight) => Math.min(maxWeight, weight / middle));
}
