import {
  clusterBootstrap,
  type Estimate,
  minClusters,
  type Statistic,
} from './cluster-bootstrap.ts';
import { groupClusters } from './group-clusters.ts';
import type { UnitSource } from './seeded-unit.ts';
import { doublyRobustOfStrata, snipsOfStrata, stratumColumns } from './strata.ts';

/** Decisions that another policy logged, one entry of each array for each; rewards from 0 up. */
export interface LoggedDecisions {
  /** What a refusal calls its entries: a decision may be one try, or all of a payment that is over. */
  readonly called?: 'decisions' | 'payments';
  /** The payer's number, from 0 without gaps. */
  readonly clusters: Int32Array;
  /** The chance with which the logging policy took what it took. */
  readonly propensities: Float64Array;
  /** The chance with which the policy in question would have taken the same; 0 to 1. */
  readonly targets: Float64Array;
  readonly rewards: Float64Array;
  /**
   * The kind of each decision, from 0 without gaps: estimates are made of each, and of all by their numbers.
   * Absent where all are of one kind.
   */
  readonly strata?: Int32Array;
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
  /** A kind of decisions of which the log tried less is left out. */
  minKindSupport: 0.4,
  /** Share of the decisions that must be of kinds that are not. */
  minKept: 0.9,
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
  const early = refuseEarly(decisions);
  if (early !== undefined) return early;
  const { weights, clippedShare } = weightsOf(decisions);
  const kept = keptKinds(decisions, weights);
  if (kept.weights.length < carries.minKept * weights.length) {
    const share = kept.weights.length / weights.length;
    return noSupport(
      weights.length,
      `${((1 - share) * 100).toFixed(0)} % of the decisions are of kinds of which it tried less than ${carries.minKindSupport} of that, and at most ${((1 - carries.minKept) * 100).toFixed(0)} % are left out.`,
    );
  }
  return evaluateKept(kept, clippedShare, unit);
}

/** Decisions of which the log tried enough of what the policy would do. */
interface Kept {
  readonly called: 'decisions' | 'payments';
  readonly clusters: Int32Array;
  readonly strata: Int32Array;
  readonly weights: Float64Array;
  readonly rewards: Float64Array;
  readonly predicted: LoggedDecisions['predicted'];
}

function keptKinds(decisions: LoggedDecisions, weights: Float64Array): Kept {
  const { clusters, rewards, predicted, called = 'decisions' } = decisions;
  const strata = decisions.strata ?? new Int32Array(weights.length);
  const tried = new Map<number, { count: number; weight: number }>();
  strata.forEach((stratum, at) => {
    const sums = tried.get(stratum) ?? { count: 0, weight: 0 };
    sums.count += 1;
    sums.weight += weights[at] ?? 0;
    tried.set(stratum, sums);
  });
  const isKept = (_: number, at: number): boolean => {
    const { count, weight } = tried.get(strata[at] ?? 0) ?? { count: 1, weight: 0 };
    return weight >= carries.minKindSupport * count;
  };
  return {
    called,
    clusters: clusters.filter(isKept),
    strata: strata.filter(isKept),
    weights: weights.filter(isKept),
    rewards: rewards.filter(isKept),
    predicted: predicted && {
      logged: predicted.logged.filter(isKept),
      target: predicted.target.filter(isKept),
    },
  };
}

function evaluateKept(
  kept: Kept,
  clippedShare: number,
  unit: UnitSource,
): OffPolicyEstimate | Refusal {
  const { clusters, strata, weights, rewards, predicted } = kept;
  const count = clusters.length;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const support = sum / count;
  if (support < carries.minSupport) {
    return noSupport(
      count,
      `the mean weight is ${support.toFixed(2)}, and at least ${carries.minSupport} is asked for.`,
    );
  }
  const effectiveSample = sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
  if (effectiveSample < carries.minEffectiveSample) return tooSmall(kept, effectiveSample);
  const none = new Float64Array(count);
  const columns = [
    new Float64Array(count).fill(1),
    rewards,
    weights.map((weight, at) => weight * (rewards[at] ?? 0)),
    ...stratumColumns({
      strata,
      weights,
      rewards,
      predicted: predicted ?? { logged: none, target: none },
    }),
  ];
  const sums = groupClusters(clusters, columns, unit);
  const [ofLog, ips, ofSnips, doublyRobust, gain] = clusterBootstrap({ sums, statistics, unit });
  // Payers whose decisions were all left out have numbers still, and are no payers of the estimate.
  const payers = new Set(clusters).size;
  const isFew = payers < minClusters;
  if (
    isFew ||
    ofLog === undefined ||
    ips === undefined ||
    ofSnips === undefined ||
    gain === undefined
  ) {
    const message = `There are ${payers} payers; at least ${minClusters} are asked for.`;
    return { kind: 'refused', reason: 'too_few_decisions', message, decisions: count };
  }
  return {
    kind: 'estimate',
    decisions: count,
    clusters: payers,
    logged: ofLog,
    ips,
    snips: ofSnips,
    ...(predicted !== undefined && doublyRobust !== undefined && { doublyRobust }),
    gain,
    effectiveSample,
    support,
    clippedShare,
  };
}

function noSupport(decisions: number, figures: string): Refusal {
  const message = `The log tried too little of what the policy would do: ${figures}`;
  return { kind: 'refused', reason: 'no_support', message, decisions };
}

const [countAt, rewardAt, weightedAt, strataAt] = [0, 1, 2, 3] as const;

const ratio =
  (part: number, whole: number): Statistic =>
  (totals) =>
    (totals[part] ?? 0) / (totals[whole] ?? 0);

const logged = ratio(rewardAt, countAt);
const snips = snipsOfStrata(strataAt);
const statistics: readonly Statistic[] = [
  logged,
  ratio(weightedAt, countAt),
  snips,
  doublyRobustOfStrata(strataAt),
  (totals) => snips(totals) - logged(totals),
];

function refuseEarly({
  clusters,
  propensities,
  called = 'decisions',
}: LoggedDecisions): Refusal | undefined {
  const decisions = clusters.length;
  const refuse = (reason: Refusal['reason'], message: string): Refusal => ({
    kind: 'refused',
    reason,
    message,
    decisions,
  });
  if (decisions < carries.minDecisions) {
    const there = decisions === 1 ? `is 1 ${called.slice(0, -1)}` : `are ${decisions} ${called}`;
    const whose = called === 'payments' ? ' whose window has ended' : '';
    const message = `There ${there}${whose}; at least ${carries.minDecisions} are asked for.`;
    return refuse('too_few_decisions', message);
  }
  if (propensities.some((chance) => !(chance > 0 && chance <= 1))) {
    return refuse(
      'no_propensities',
      `Some ${called} have no chance above 0 with which they were taken.`,
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

function tooSmall({ clusters, called }: Kept, effectiveSample: number): Refusal {
  const decisions = clusters.length;
  const message = `The effective sample is ${effectiveSample.toFixed(0)} of ${decisions} ${called}; at least ${carries.minEffectiveSample} is asked for.`;
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
