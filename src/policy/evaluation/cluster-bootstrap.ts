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

export interface BootstrapInput {
  readonly sums: ClusterSums;
  readonly statistics: readonly Statistic[];
  readonly unit: UnitSource;
  readonly rounds?: number;
}

const roundsUsual = 400;
/** With fewer clusters the bootstrap's intervals are too narrow to be shown. */
export const minClusters = 20;
/** Rounds in which a figure had no value, beyond which its interval says nothing. */
const maxUndefinedShare = 0.05;
const [lowerShare, upperShare] = [0.025, 0.975];

/**
 * 95 % intervals by the cluster bootstrap (Efron and Tibshirani 1993, percentiles): payers are drawn
 * with replacement, each with all that is theirs, since the tries of one payer are alike. Undefined for
 * a figure without a value, with too few clusters or in too many of the rounds. The bounds are
 * widened to hold the figure itself.
 */
export function clusterBootstrap(input: BootstrapInput): readonly (Estimate | undefined)[] {
  const { sums, statistics, unit, rounds = roundsUsual } = input;
  const clusters = sums[0]?.length ?? 0;
  const totals = new Float64Array(sums.length);
  sums.forEach((column, at) => {
    totals[at] = column.reduce((sum, value) => sum + value, 0);
  });
  const values = statistics.map((statistic) => statistic(totals));
  if (clusters < minClusters) return statistics.map(() => undefined);
  const drawn = statistics.map(() => new Float64Array(rounds));
  const rows = rowsOf(sums, clusters);
  for (let round = 0; round < rounds; round += 1) {
    drawTotals(rows, clusters, unit, totals);
    statistics.forEach((statistic, at) => {
      const column = drawn[at];
      if (column !== undefined) column[round] = statistic(totals);
    });
  }
  return values.map((value, at) => intervalOf(value, drawn[at] ?? new Float64Array(0)));
}

/** What belongs to one cluster side by side: draws read them so, some hundred thousand times. */
function rowsOf(sums: ClusterSums, clusters: number): Float64Array {
  const rows = new Float64Array(clusters * sums.length);
  sums.forEach((column, at) => {
    column.forEach((value, cluster) => {
      rows[cluster * sums.length + at] = value;
    });
  });
  return rows;
}

function drawTotals(
  rows: Float64Array,
  clusters: number,
  unit: UnitSource,
  totals: Float64Array,
): void {
  const width = totals.length;
  totals.fill(0);
  for (let draw = 0; draw < clusters; draw += 1) {
    const from = Math.floor(unit() * clusters) * width;
    for (let at = 0; at < width; at += 1) {
      totals[at] = (totals[at] ?? 0) + (rows[from + at] ?? 0);
    }
  }
}

function intervalOf(value: number, drawn: Float64Array): Estimate | undefined {
  const told = drawn.filter((item) => !Number.isNaN(item)).sort();
  if (Number.isNaN(value) || told.length < drawn.length * (1 - maxUndefinedShare)) return undefined;
  const low = told[Math.floor(lowerShare * (told.length - 1))] ?? value;
  const high = told[Math.ceil(upperShare * (told.length - 1))] ?? value;
  return { value, low: Math.min(low, value), high: Math.max(high, value) };
}
