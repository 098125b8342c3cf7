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

/** An arm as it is, or as it is compared: a block of columns. */
interface Block {
  readonly arm: UpliftArm;
  readonly isCompared: boolean;
}

function measurePart(groups: readonly UpliftGroup[]): UpliftPart {
  const [first] = groups;
  const there = (block: Block) =>
    groups.some((group) => group.arm === block.arm && group.isCompared === block.isCompared);
  const arms = upliftArms.map((arm) => ({ arm, isCompared: false })).filter(there);
  const pair = (['learned', 'holdout'] as const)
    .map((arm) => ({ arm, isCompared: true }))
    .filter(there);
  const blocks: readonly Block[] = [...arms, ...pair];
  const isCompared = pair.length === 2;
  const columns = columnsOf(groups, blocks);
  const statistics: readonly Statistic[] = [
    ...arms.flatMap((_, at) => upliftMetrics.map((metric) => ratioOf(metric, at))),
    ...(isCompared ? upliftMetrics.map((metric) => differenceOf(metric, arms.length)) : []),
  ];
  const intervals = clusterBootstrap({ sums: columns, statistics, unit: seededUnit(seed) });
  const all = Float64Array.from(columns, total);
  const figures = (place: number, isWide: boolean): Figures =>
    Object.fromEntries(
      upliftMetrics.flatMap((metric, at) => {
        const index = place * upliftMetrics.length + at;
        const value = statistics[index]?.(all) ?? Number.NaN;
        if (!Number.isFinite(value)) return [];
        return [[metric, (isWide ? intervals[index] : undefined) ?? { value }]];
      }),
    );
  const isWide = (block: number) =>
    (columns[block * sumNames.length]?.filter((payments) => payments > 0).length ?? 0) >=
    minClusters;
  const difference = isCompared
    ? figures(arms.length, isWide(arms.length) && isWide(arms.length + 1))
    : undefined;
  return {
    currency: first?.currency ?? '',
    dimension: first?.dimension ?? 'all',
    part: first?.part ?? '',
    arms: arms.map(
      ({ arm }, at): ArmReport => ({
        arm,
        sums: sumsAt(all, at),
        figures: figures(at, isWide(at)),
      }),
    ),
    ...present({
      difference,
      // Of the whole alone: of twenty parts, one shows a difference by luck.
      verdict:
        first?.dimension === 'all' && difference !== undefined
          ? verdictOf(difference, sumsAt(all, arms.length), sumsAt(all, arms.length + 1))
          : undefined,
    }),
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

/** A column for each sum of each block, with a place for each group of payers. */
function columnsOf(
  groups: readonly UpliftGroup[],
  blocks: readonly Block[],
): readonly Float64Array[] {
  const numbers = [...new Set(groups.map(({ group }) => group))].sort((a, b) => a - b);
  const places = new Map(numbers.map((number, at) => [number, at]));
  const columns = blocks.flatMap(() => sumNames.map(() => new Float64Array(numbers.length)));
  for (const group of groups) {
    const block = blocks.findIndex(
      ({ arm, isCompared }) => arm === group.arm && isCompared === group.isCompared,
    );
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
