import { microsPerMajor } from '../../domain/network-rules/network-fee.ts';
import { present } from '../../domain/present.ts';
import {
  type Draws,
  drawClusters,
  minClusters,
  resample,
  type Statistic,
} from '../../policy/evaluation/cluster-bootstrap.ts';
import { seededUnit } from '../../policy/evaluation/seeded-unit.ts';
import {
  type ArmReport,
  type Figures,
  type Former,
  type UpliftArm,
  type UpliftGroup,
  type UpliftMetric,
  type UpliftPart,
  type UpliftReport,
  type UpliftSums,
  upliftArms,
  upliftDimensions,
  upliftMetrics,
} from '../uplift.ts';
import { verdictOf } from './uplift-verdict.ts';

/** The same payments give the same intervals. */
const seed = 1;

type DrawsOf = (clusters: number) => Draws;

/** The same draws for all parts with as many groups of payers: each by itself takes most of a report's time. */
function sharedDraws(): DrawsOf {
  const drawn = new Map<number, Draws>();
  return (clusters) => {
    const draws = drawn.get(clusters) ?? drawClusters(seededUnit(seed), clusters);
    drawn.set(clusters, draws);
    return draws;
  };
}

/** Sums that a metric is made of: they are drawn. */
const drawnNames = [
  'payments',
  'failedMinor',
  'recovered',
  'recoveredMinor',
  'netMinor',
  'paidOtherwise',
  'tries',
  'daysToRecovery',
  'feesMicros',
] as const satisfies readonly (keyof UpliftSums)[];
type DrawnName = (typeof drawnNames)[number];
const sumNames = [
  ...drawnNames,
  'open',
  'otherFees',
  'counted',
] as const satisfies readonly (keyof UpliftSums)[];
type SumName = (typeof sumNames)[number];

/** Each metric as a sum, or two, over another one. */
const ratios: Readonly<
  Record<
    UpliftMetric,
    { readonly of: readonly DrawnName[]; readonly to: DrawnName; readonly per?: number }
  >
> = {
  recovered_rate: { of: ['recovered'], to: 'payments' },
  recovered_or_paid_rate: { of: ['recovered', 'paidOtherwise'], to: 'payments' },
  recovered_amount_rate: { of: ['recoveredMinor'], to: 'failedMinor' },
  net_amount_rate: { of: ['netMinor'], to: 'failedMinor' },
  attempts_per_recovery: { of: ['tries'], to: 'recovered' },
  days_to_recovery: { of: ['daysToRecovery'], to: 'recovered' },
  fees_per_payment: { of: ['feesMicros'], to: 'payments', per: microsPerMajor },
};

/**
 * The report of sums by groups of payers: every figure with its 95 % interval, by resampling the
 * groups with all that is theirs in both arms, since one payer's payments are alike.
 */
export function measureUplift(groups: readonly UpliftGroup[]): UpliftReport {
  const parts = new Map<string, UpliftGroup[]>();
  for (const group of groups) {
    const key = `${group.currency} ${group.dimension} ${group.part}`;
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [group]);
    else part.push(group);
  }
  const drawsOf = sharedDraws();
  const has = (arm: UpliftArm) => groups.some((group) => group.arm === arm);
  return {
    hasLearned: has('learned'),
    hasHoldout: has('holdout'),
    parts: [...parts.values()].map((part) => measurePart(part, drawsOf)).sort(inOrder),
  };
}

function inOrder(a: UpliftPart, b: UpliftPart): number {
  const byDimension = upliftDimensions.indexOf(a.dimension) - upliftDimensions.indexOf(b.dimension);
  return compare(a.currency, b.currency) || byDimension || compare(a.part, b.part);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function measurePart(groups: readonly UpliftGroup[], drawsOf: DrawsOf): UpliftPart {
  const [first] = groups;
  const plain = groups.filter(({ isCompared }) => !isCompared);
  const arms = upliftArms.filter((arm) => plain.some((group) => group.arm === arm));
  const ofArms = measureBlocks(plain, { arms, drawsOf }, (at) =>
    upliftMetrics.map((metric) => ratioOf(metric, at)),
  );
  // Drawn by themselves: what is not compared is to change nothing of the comparison.
  const besides = groups.filter(({ isCompared }) => isCompared);
  const pair = besides.filter(({ arm }) => arm !== 'none');
  const compared =
    pair.length === 0
      ? undefined
      : measureBlocks(pair, { arms: ['learned', 'holdout'], drawsOf }, differencesAt);
  const difference = compared?.figures(0, compared.isWide(0) && compared.isWide(1));
  return {
    currency: first?.currency ?? '',
    dimension: first?.dimension ?? 'all',
    part: first?.part ?? '',
    arms: arms.map(
      (arm, at): ArmReport => ({
        arm,
        sums: ofArms.sums(at),
        figures: ofArms.figures(at, ofArms.isWide(at)),
      }),
    ),
    ...present({
      difference,
      // Of the whole alone: of twenty parts, one shows a difference by luck.
      verdict:
        first?.dimension === 'all' && compared !== undefined && difference !== undefined
          ? verdictOf(difference, compared.sums(0), compared.sums(1))
          : undefined,
      former:
        first?.dimension === 'all'
          ? formerOf(
              [
                ...plain.filter(({ arm }) => arm === 'learned'),
                ...besides.filter(({ arm }) => arm === 'none'),
              ],
              drawsOf,
            )
          : undefined,
    }),
  };
}

function formerOf(groups: readonly UpliftGroup[], drawsOf: DrawsOf): Former | undefined {
  const has = (wanted: UpliftArm) => groups.some(({ arm }) => arm === wanted);
  if (!has('learned') || !has('none')) return undefined;
  const both = measureBlocks(groups, { arms: ['learned', 'none'], drawsOf }, differencesAt);
  return {
    payments: both.sums(1).payments,
    difference: both.figures(0, both.isWide(0) && both.isWide(1)),
  };
}

/** The first of the two blocks less the other; nothing stands at the other's place. */
function differencesAt(block: number): readonly Statistic[] {
  return block === 0 ? upliftMetrics.map((metric) => differenceOf(metric, block)) : [];
}

interface Measured {
  /** The figures of the block at a place, with intervals or without. */
  figures(block: number, isWide: boolean): Figures;
  /** Whether enough groups of payers are of it for an interval. */
  isWide(block: number): boolean;
  sums(block: number): UpliftSums;
}

/** Sums of each arm as a block of columns, and what is made of them: one statistic for each metric. */
function measureBlocks(
  groups: readonly UpliftGroup[],
  { arms, drawsOf }: { readonly arms: readonly UpliftArm[]; readonly drawsOf: DrawsOf },
  statisticsAt: (block: number) => readonly Statistic[],
): Measured {
  const columns = columnsOf(groups, arms);
  const statistics = arms.flatMap((_, at) => statisticsAt(at));
  const drawn = columns.filter((_, at) => at % sumNames.length < drawnNames.length);
  const intervals = resample({
    sums: drawn,
    statistics,
    draws: drawsOf(drawn[0]?.length ?? 0),
  });
  const all = Float64Array.from(drawn, total);
  return {
    figures: (block, isWide) =>
      Object.fromEntries(
        upliftMetrics.flatMap((metric, at) => {
          const index = block * upliftMetrics.length + at;
          const value = statistics[index]?.(all) ?? Number.NaN;
          if (!Number.isFinite(value)) return [];
          return [[metric, (isWide ? intervals[index] : undefined) ?? { value }]];
        }),
      ),
    isWide: (block) =>
      (columns[block * sumNames.length]?.filter((payments) => payments > 0).length ?? 0) >=
      minClusters,
    sums: (block) => sumsAt(columns, block),
  };
}

/** Of the block of columns at a place. NaN where nothing is there to divide by. */
function ratioOf(metric: UpliftMetric, block: number): Statistic {
  const { of, to, per = 1 } = ratios[metric];
  const at = (name: DrawnName) => block * drawnNames.length + drawnNames.indexOf(name);
  const [over, also, under] = [at(of[0] ?? to), of[1] === undefined ? -1 : at(of[1]), at(to)];
  return (totals) => {
    const divisor = totals[under] ?? 0;
    if (divisor === 0) return Number.NaN;
    const more = also < 0 ? 0 : (totals[also] ?? 0);
    return ((totals[over] ?? 0) + more) / per / divisor;
  };
}

/** Of the block at a place less the one behind it. */
function differenceOf(metric: UpliftMetric, block: number): Statistic {
  const [learned, holdout] = [ratioOf(metric, block), ratioOf(metric, block + 1)];
  return (totals) => learned(totals) - holdout(totals);
}

/** A column for each sum of each arm, with a place for each group of payers. */
function columnsOf(
  groups: readonly UpliftGroup[],
  arms: readonly UpliftArm[],
): readonly Float64Array[] {
  const numbers = [...new Set(groups.map(({ group }) => group))].sort((a, b) => a - b);
  const places = new Map(numbers.map((number, at) => [number, at]));
  const columns = arms.flatMap(() => sumNames.map(() => new Float64Array(numbers.length)));
  for (const group of groups) {
    const block = arms.indexOf(group.arm);
    const place = places.get(group.group) ?? 0;
    if (block < 0) continue;
    sumNames.forEach((name, at) => {
      const column = columns[block * sumNames.length + at];
      if (column !== undefined) column[place] = (column[place] ?? 0) + group[name];
    });
  }
  return columns;
}

function total(column: Iterable<number>): number {
  let sum = 0;
  for (const value of column) sum += value;
  return sum;
}

/** The sums of the block of columns at a place. */
function sumsAt(columns: readonly Float64Array[], block: number): UpliftSums {
  const from = block * sumNames.length;
  const entries = sumNames.map((name, at) => [name, total(columns[from + at] ?? [])]);
  return Object.fromEntries(entries) as Record<SumName, number>;
}
