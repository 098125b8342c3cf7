import { microsPerMajor } from '../../domain/network-rules/network-fee.ts';
import { present } from '../../domain/present.ts';
import {
  clusterBootstrap,
  minClusters,
  type Statistic,
} from '../../policy/evaluation/cluster-bootstrap.ts';
import { seededUnit } from '../../policy/evaluation/seeded-unit.ts';
import {
  type ArmReport,
  type Figures,
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

const sumNames = [
  'payments',
  'failedMinor',
  'recovered',
  'recoveredMinor',
  'netMinor',
  'paidOtherwise',
  'tries',
  'daysToRecovery',
  'feesMicros',
  'open',
  'otherFees',
  'counted',
] as const satisfies readonly (keyof UpliftSums)[];
type SumName = (typeof sumNames)[number];
const placeOf = Object.fromEntries(sumNames.map((name, at) => [name, at])) as Record<
  SumName,
  number
>;

/** Each metric as a sum, or two, over another one. */
const ratios: Readonly<
  Record<
    UpliftMetric,
    { readonly of: readonly SumName[]; readonly to: SumName; readonly per?: number }
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
  const has = (arm: UpliftArm) => groups.some((group) => group.arm === arm);
  return {
    hasLearned: has('learned'),
    hasHoldout: has('holdout'),
    parts: [...parts.values()].map(measurePart).sort(inOrder),
  };
}

function inOrder(a: UpliftPart, b: UpliftPart): number {
  const byDimension = upliftDimensions.indexOf(a.dimension) - upliftDimensions.indexOf(b.dimension);
  return compare(a.currency, b.currency) || byDimension || compare(a.part, b.part);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function measurePart(groups: readonly UpliftGroup[]): UpliftPart {
  const [first] = groups;
  const plain = groups.filter(({ isCompared }) => !isCompared);
  const arms = upliftArms.filter((arm) => plain.some((group) => group.arm === arm));
  const ofArms = measureBlocks(plain, arms, (at) =>
    upliftMetrics.map((metric) => ratioOf(metric, at)),
  );
  // Drawn by themselves: what is not compared is to change nothing of the comparison.
  const pair = groups.filter(({ isCompared }) => isCompared);
  const compared =
    pair.length === 0 ? undefined : measureBlocks(pair, ['learned', 'holdout'], differencesAt);
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
    }),
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
  arms: readonly UpliftArm[],
  statisticsAt: (block: number) => readonly Statistic[],
): Measured {
  const columns = columnsOf(groups, arms);
  const statistics = arms.flatMap((_, at) => statisticsAt(at));
  const intervals = clusterBootstrap({ sums: columns, statistics, unit: seededUnit(seed) });
  const all = Float64Array.from(columns, total);
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
    sums: (block) => sumsAt(all, block),
  };
}

/** Of the block of columns at a place. NaN where nothing is there to divide by. */
function ratioOf(metric: UpliftMetric, block: number): Statistic {
  const { of, to, per = 1 } = ratios[metric];
  const at = (name: SumName) => block * sumNames.length + placeOf[name];
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

function total(column: Float64Array): number {
  return column.reduce((sum, value) => sum + value, 0);
}

/** The sums of the block at a place, from the totals of all columns. */
function sumsAt(totals: Float64Array, block: number): UpliftSums {
  const from = block * sumNames.length;
  const entries = sumNames.map((name, at) => [name, totals[from + at] ?? 0]);
  return Object.fromEntries(entries) as Record<SumName, number>;
}
