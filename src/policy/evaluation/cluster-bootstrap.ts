import { weightedSum } from '../weighted-sum.ts';
import type { UnitSource } from './seeded-unit.ts';

/** A figure with the bounds between which it lies with 95 % confidence. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Sums by cluster (a payer, or a random group of payers): one array for each column. */
export type ClusterSums = readonly Float64Array[];

/** A figure of the columns' totals; NaN where the totals do not allow it. */
export type Statistic = (totals: Float64Array) => number;

interface Figures {
  readonly sums: ClusterSums;
  readonly statistics: readonly Statistic[];
}

/** With fewer clusters the bootstrap's intervals are too narrow to be shown. */
export const minClusters = 20;
const rounds = 400;
/** Rounds in which a figure had no value, beyond which its interval says nothing. */
const maxUndefinedShare = 0.05;
const [lowerShare, upperShare] = [0.025, 0.975];

/**
 * 95 % intervals by the cluster bootstrap (Efron and Tibshirani 1993, percentiles): payers are drawn
 * with replacement, each with all that is theirs, since the tries of one payer are alike. Undefined for
 * a figure without a value, with too few clusters or in too many of the rounds. The bounds are
 * widened to hold the figure itself.
 */
export function clusterBootstrap({
  unit,
  ...figures
}: Figures & { readonly unit: UnitSource }): readonly (Estimate | undefined)[] {
  return resample({ ...figures, draws: drawClusters(unit, figures.sums[0]?.length ?? 0) });
}

/** The same of draws that many figures share. */
export function resample({
  sums,
  statistics,
  draws,
}: Figures & { readonly draws: Draws }): readonly (Estimate | undefined)[] {
  const clusters = sums[0]?.length ?? 0;
  if (clusters < minClusters) return statistics.map(() => undefined);
  const totals = new Float64Array(sums.length);
  sums.forEach((column, at) => {
    totals[at] = column.reduce((sum, value) => sum + value, 0);
  });
  const values = statistics.map((statistic) => statistic(totals));
  const drawn = statistics.map(() => new Float64Array(draws.length));
  draws.forEach((times, round) => {
    sums.forEach((column, at) => {
      totals[at] = weightedSum(times, column);
    });
    statistics.forEach((statistic, at) => {
      const column = drawn[at];
      if (column !== undefined) column[round] = statistic(totals);
    });
  });
  return values.map((value, at) => intervalOf(value, drawn[at] ?? new Float64Array(0)));
}

/** Of each round, how often each cluster is drawn. */
export type Draws = readonly Float64Array[];

/** In each round as many draws as there are clusters; none where these are too few. */
export function drawClusters(unit: UnitSource, clusters: number): Draws {
  if (clusters < minClusters) return [];
  return Array.from({ length: rounds }, () => {
    const times = new Float64Array(clusters);
    for (let draw = 0; draw < clusters; draw += 1) {
      const cluster = Math.floor(unit() * clusters);
      times[cluster] = (times[cluster] ?? 0) + 1;
    }
    return times;
  });
}

function intervalOf(value: number, drawn: Float64Array): Estimate | undefined {
  const told = drawn.filter((item) => !Number.isNaN(item)).sort();
  if (Number.isNaN(value) || told.length < drawn.length * (1 - maxUndefinedShare)) return undefined;
  const low = told[Math.floor(lowerShare * (told.length - 1))] ?? value;
  const high = told[Math.ceil(upperShare * (told.length - 1))] ?? value;
  return { value, low: Math.min(low, value), high: Math.max(high, value) };
}
