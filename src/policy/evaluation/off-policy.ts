import {
  clusterBootstrap,
  type Estimate,
  minClusters,
  type Statistic,
} from './cluster-bootstrap.ts';
import { groupClusters } from './group-clusters.ts';
import type { UnitSource } from './seeded-unit.ts';

/** Decisions that another policy logged, one entry of each array for each; rewards from 0 up. */
export interface LoggedDecisions {
  /** The payer's number, from 0 without gaps. */
  readonly clusters: Int32Array;
  /** The chance with which the logging policy took what it took. */
  readonly propensities: Float64Array;
  /** The chance with which the policy in question would have taken the same; 0 to 1. */
  readonly targets: Float64Array;
  readonly rewards: Float64Array;
  /** A model's rewards: of what was taken, and of what the policy in question would take. */
  readonly predicted?: { readonly logged: Float64Array; readonly target: Float64Array };
}

export interface OffPolicyEstimate {
  readonly kind: 'estimate';
  readonly decisions: number;
  readonly clusters: number;
  /** Mean reward of the log itself over the same decisions. */
  readonly logged: Estimate;
  readonly ips: Estimate;
  readonly snips: Estimate;
  readonly doublyRobust?: Estimate;
  /** `snips` less `logged`, resampled together. */
  readonly gain: Estimate;
  readonly effectiveSample: number;
  /** Mean weight: 1 where the log tried all that the policy would, less where it did not. */
  readonly support: number;
  /** Share of the decisions whose weight was cut. */
  readonly clippedShare: number;
}

export interface Refusal {
  readonly kind: 'refused';
  readonly reason:
    | 'too_few_decisions'
    | 'no_propensities'
    | 'no_randomness'
    | 'no_support'
    | 'small_effective_sample';
  /** The reason with its figures, as a sentence. */
  readonly message: string;
  readonly decisions: number;
  readonly effectiveSample?: number;
}

/** Below these a figure would be a guess: choices of this project, on the strict side. */
export const carries = {
  minDecisions: 100,
  minEffectiveSample: 100,
  minSupport: 0.8,
  /** A log whose every choice had at least this chance left nothing to chance. */
  maxPropensity: 0.98,
} as const;

/**
 * What a policy's decisions would have been worth, from decisions of another one: inverse propensity
 * scoring (Horvitz and Thompson 1952), its self-normalised form (Swaminathan and Joachims 2015) and
 * the doubly robust one (Dudik, Langford and Li 2011), with payer-clustered 95 % intervals. Weights
 * are cut at the root of the number of decisions (Ionides 2008). Refuses, with the reason, what the
 * data cannot carry.
 */
export function evaluateOffPolicy(
  decisions: LoggedDecisions,
  unit: UnitSource,
): OffPolicyEstimate | Refusal {
  const { clusters, propensities, rewards, predicted } = decisions;
  const count = clusters.length;
  const early = refuseEarly(decisions);
  if (early !== undefined) return early;
  const { weights, clippedShare } = weightsOf(decisions);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const support = sum / count;
  if (support < carries.minSupport) {
    const message = `The log tried too little of what the policy would do: the mean weight is ${support.toFixed(2)}, and at least ${carries.minSupport} is asked for.`;
    return { kind: 'refused', reason: 'no_support', message, decisions: count };
  }
  const effectiveSample = sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
  if (effectiveSample < carries.minEffectiveSample) {
    return tooSmall(count, effectiveSample);
  }
  const columns = [
    new Float64Array(count).fill(1),
    rewards,
    weights,
    weights.map((weight, at) => weight * (rewards[at] ?? 0)),
    weights.map((weight, at) => {
      const error = (rewards[at] ?? 0) - (predicted?.logged[at] ?? 0);
      return (predicted?.target[at] ?? 0) + weight * error;
    }),
  ];
  const sums = groupClusters(clusters, columns, unit);
  const [logged, ips, snips, doublyRobust, gain] = clusterBootstrap({ sums, statistics, unit });
  const payers = new Set(clusters).size;
  if (logged === undefined || ips === undefined || snips === undefined || gain === undefined) {
    const message = `There are ${payers} payers; at least ${minClusters} are asked for.`;
    return {
      kind: 'refused',
      reason: 'too_few_decisions',
      message,
      decisions: propensities.length,
    };
  }
  return {
    kind: 'estimate',
    decisions: count,
    clusters: payers,
    logged,
    ips,
    snips,
    ...(predicted !== undefined && doublyRobust !== undefined && { doublyRobust }),
    gain,
    effectiveSample,
    support,
    clippedShare,
  };
}

const [countAt, rewardAt, weightAt, weightedAt, robustAt] = [0, 1, 2, 3, 4] as const;

const ratio =
  (part: number, whole: number): Statistic =>
  (totals) =>
    (totals[part] ?? 0) / (totals[whole] ?? 0);

const statistics: readonly Statistic[] = [
  ratio(rewardAt, countAt),
  ratio(weightedAt, countAt),
  ratio(weightedAt, weightAt),
  ratio(robustAt, countAt),
  (totals) => ratio(weightedAt, weightAt)(totals) - ratio(rewardAt, countAt)(totals),
];

function refuseEarly({ clusters, propensities }: LoggedDecisions): Refusal | undefined {
  const decisions = clusters.length;
  const refuse = (reason: Refusal['reason'], message: string): Refusal => ({
    kind: 'refused',
    reason,
    message,
    decisions,
  });
  if (decisions < carries.minDecisions) {
    const message = `There are ${decisions} decisions; at least ${carries.minDecisions} are asked for.`;
    return refuse('too_few_decisions', message);
  }
  if (propensities.some((chance) => !(chance > 0 && chance <= 1))) {
    return refuse(
      'no_propensities',
      'Some decisions have no chance above 0 with which they were taken.',
    );
  }
  if (propensities.every((chance) => chance >= carries.maxPropensity)) {
    return refuse(
      'no_randomness',
      'The log left nothing to chance: it says nothing of other times.',
    );
  }
  return undefined;
}

function tooSmall(decisions: number, effectiveSample: number): Refusal {
  const message = `The effective sample is ${effectiveSample.toFixed(0)} of ${decisions} decisions; at least ${carries.minEffectiveSample} is asked for.`;
  return { kind: 'refused', reason: 'small_effective_sample', message, decisions, effectiveSample };
}

function weightsOf({ propensities, targets }: LoggedDecisions): {
  readonly weights: Float64Array;
  readonly clippedShare: number;
} {
  const max = Math.sqrt(propensities.length);
  let clipped = 0;
  const weights = propensities.map((chance, at) => {
    const weight = (targets[at] ?? 0) / chance;
    if (weight > max) clipped += 1;
    return Math.min(weight, max);
  });
  return { weights, clippedShare: clipped / propensities.length };
}
