import { microsPerMajor } from '../../domain/network-rules/network-fee.ts';
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
] as const satisfies readonly (keyof UpliftSums)[];

const ratios: Readonly<Record<UpliftMetric, (sums: UpliftSums) => number>> = {
  recovered_rate: ({ recovered, payments }) => recovered / payments,
  recovered_or_paid_rate: ({ recovered, paidOtherwise, payments }) =>
    (recovered + paidOtherwise) / payments,
  recovered_amount_rate: ({ recoveredMinor, failedMinor }) => recoveredMinor / failedMinor,
  net_amount_rate: ({ netMinor, failedMinor }) => netMinor / failedMinor,
  attempts_per_recovery: ({ tries, recovered }) =>
    recovered === 0 ? Number.NaN : tries / recovered,
  days_to_recovery: ({ daysToRecovery, recovered }) => daysToRecovery / recovered,
  fees_per_payment: ({ feesMicros, payments }) => feesMicros / microsPerMajor / payments,
};

/**
 * The report of sums by groups of payers: every figure with its 95 % interval, by resampling the
 * groups with all that is theirs in both arms, since one payer's payments are alike.
 */
export function measureUplift(groups: readonly UpliftGroup[]): UpliftReport {
  const parts = new Map<string, UpliftGroup[]>();
  for (const group of groups) {
    const key = JSON.stringify([group.currency, group.dimension, group.part]);
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
  const numbers = [...new Set(groups.map(({ group }) => group))].sort((a, b) => a - b);
  const places = new Map(numbers.map((number, at) => [number, at]));
  const arms = upliftArms.filter((arm) => groups.some((group) => group.arm === arm));
  const columns = arms.map((arm) => columnsOf(groups, arm, places));
  const totals = columns.map((column) => sumsAt(Float64Array.from(column, total), 0));
  const learnedAt = arms.indexOf('learned');
  const holdoutAt = arms.indexOf('holdout');
  const isCompared = learnedAt >= 0 && holdoutAt >= 0;
  const ofArm = (at: number): readonly Statistic[] =>
    upliftMetrics.map((metric) => (drawn) => ratios[metric](sumsAt(drawn, at)));
  const differences: readonly Statistic[] = upliftMetrics.map(
    (metric) => (drawn) =>
      ratios[metric](sumsAt(drawn, learnedAt)) - ratios[metric](sumsAt(drawn, holdoutAt)),
  );
  const statistics = [...arms.flatMap((_, at) => ofArm(at)), ...(isCompared ? differences : [])];
  const intervals = clusterBootstrap({ sums: columns.flat(), statistics, unit: seededUnit(seed) });
  const all = Float64Array.from(columns.flat(), total);
  const figures = (place: number, isWide: boolean): Figures =>
    Object.fromEntries(
      upliftMetrics.flatMap((metric, at) => {
        const index = place * upliftMetrics.length + at;
        const value = statistics[index]?.(all) ?? Number.NaN;
        if (!Number.isFinite(value)) return [];
        return [[metric, (isWide ? intervals[index] : undefined) ?? { value }]];
      }),
    );
  const isWide = (at: number) =>
    (columns[at]?.[0]?.filter((payments) => payments > 0).length ?? 0) >= minClusters;
  return {
    currency: first?.currency ?? '',
    dimension: first?.dimension ?? 'all',
    part: first?.part ?? '',
    arms: arms.map((arm, at): ArmReport => {
      const sums = totals[at] ?? sumsAt(new Float64Array(sumNames.length), 0);
      return { arm, sums, figures: figures(at, isWide(at)) };
    }),
    ...(isCompared && { difference: figures(arms.length, isWide(learnedAt) && isWide(holdoutAt)) }),
  };
}

/** A column for each sum, with a place for each group. */
function columnsOf(
  groups: readonly UpliftGroup[],
  arm: UpliftArm,
  places: ReadonlyMap<number, number>,
): readonly Float64Array[] {
  const columns = sumNames.map(() => new Float64Array(places.size));
  for (const group of groups) {
    if (group.arm !== arm) continue;
    const place = places.get(group.group) ?? 0;
    sumNames.forEach((name, at) => {
      const column = columns[at];
      if (column !== undefined) column[place] = (column[place] ?? 0) + group[name];
    });
  }
  return columns;
}

function total(column: Float64Array): number {
  return column.reduce((sum, value) => sum + value, 0);
}

/** The sums of the arm at a place, from the totals of all columns. */
function sumsAt(totals: Float64Array, arm: number): UpliftSums {
  const from = arm * sumNames.length;
  const entries = sumNames.map((name, at) => [name, totals[from + at] ?? 0]);
  return Object.fromEntries(entries) as Record<(typeof sumNames)[number], number>;
}
