import { rounded } from '../rounded.ts';

/** How well chances were predicted on rows that a model was not made from. */
export interface ModelMetrics {
  readonly rows: number;
  readonly successes: number;
  /** Mean of -log(chance of what happened), weighted; lower is better. */
  readonly logLoss: number;
  /** Chance that a success was scored above a failure. */
  readonly auc: number;
  /** Ten groups of rising chance: what was predicted and what happened. */
  readonly calibration: readonly CalibrationGroup[];
  /** Mean distance between both, weighted by rows. */
  readonly calibrationError: number;
}

export interface CalibrationGroup {
  readonly rows: number;
  readonly foretold: number;
  readonly observed: number;
}

const groups = 10;

/** `outcomes` are 0 or 1; all lists are of one length. */
export function measure(
  chances: Float64Array,
  outcomes: Uint8Array,
  weights: Float32Array,
): ModelMetrics {
  const order = Uint32Array.from(chances, (_, at) => at).sort(
    (a, b) => (chances[a] ?? 0) - (chances[b] ?? 0) || a - b,
  );
  let [loss, total, successes] = [0, 0, 0];
  chances.forEach((chance, at) => {
    const weight = weights[at] ?? 1;
    const met = outcomes[at] === 1 ? chance : 1 - chance;
    loss -= weight * Math.log(Math.max(1e-9, met));
    total += weight;
    successes += outcomes[at] ?? 0;
  });
  const calibration = Array.from({ length: groups }, (_, group) =>
    groupOf(order, group, { chances, outcomes, weights }),
  );
  const error = calibration.reduce(
    (sum, { rows, foretold, observed }) => sum + rows * Math.abs(foretold - observed),
    0,
  );
  return {
    rows: chances.length,
    successes,
    logLoss: rounded(loss / Math.max(total, 1e-9)),
    auc: rounded(areaUnderCurve(order, chances, outcomes)),
    calibration,
    calibrationError: rounded(error / Math.max(1, chances.length)),
  };
}

/**
 * What the chances are worth where tries are short: the share of successes, weighted, if only the half
 * of the tries with the highest chances were made. `outcomes` are 0 or 1.
 */
export function decisionValue({ chances, outcomes, weights }: Lists): number {
  const order = Uint32Array.from(chances, (_, at) => at).sort(
    (a, b) => (chances[b] ?? 0) - (chances[a] ?? 0) || a - b,
  );
  let [won, total] = [0, 0];
  for (const at of order.subarray(0, Math.ceil(order.length / 2))) {
    const weight = weights[at] ?? 1;
    won += weight * (outcomes[at] ?? 0);
    total += weight;
  }
  return rounded(won / Math.max(total, 1e-9));
}

interface Lists {
  readonly chances: Float64Array;
  readonly outcomes: Uint8Array;
  readonly weights: Float32Array;
}

function groupOf(order: Uint32Array, group: number, lists: Lists): CalibrationGroup {
  const from = Math.floor((group * order.length) / groups);
  const to = Math.floor(((group + 1) * order.length) / groups);
  let [foretold, observed, total] = [0, 0, 0];
  for (const at of order.subarray(from, to)) {
    const weight = lists.weights[at] ?? 1;
    foretold += weight * (lists.chances[at] ?? 0);
    observed += weight * (lists.outcomes[at] ?? 0);
    total += weight;
  }
  const share = (sum: number) => rounded(sum / Math.max(total, 1e-9));
  return { rows: to - from, foretold: share(foretold), observed: share(observed) };
}

/** By ranks (Mann and Whitney); equal chances share theirs. */
function areaUnderCurve(order: Uint32Array, chances: Float64Array, outcomes: Uint8Array): number {
  let [rankSum, successes] = [0, 0];
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    const chance = chances[order[from] ?? 0];
    while (to < order.length && chances[order[to] ?? 0] === chance) to += 1;
    for (const at of order.subarray(from, to)) {
      if (outcomes[at] !== 1) continue;
      rankSum += (from + to + 1) / 2;
      successes += 1;
    }
    from = to;
  }
  const failures = order.length - successes;
  if (successes === 0 || failures === 0) return 0.5;
  return (rankSum - (successes * (successes + 1)) / 2) / (successes * failures);
}
