import type { UpliftGroup } from '../../src/recovery/uplift.ts';

/** Four payments of ten euros each, by one group of payers. */
export function upliftGroup(
  change: Pick<UpliftGroup, 'arm' | 'group' | 'recovered'> & Partial<UpliftGroup>,
): UpliftGroup {
  return {
    isCompared: false,
    counted: 4,
    currency: 'EUR',
    dimension: 'all',
    part: '',
    payments: 4,
    failedMinor: 4_000,
    recoveredMinor: change.recovered * 1_000,
    netMinor: change.recovered * 1_000,
    paidOtherwise: 0,
    tries: 8,
    daysToRecovery: change.recovered * 2,
    feesMicros: 400,
    open: 0,
    otherFees: 0,
    ...change,
  };
}

/** The same with the comparison, of one week of one merchant: what there is weighs as it is. */
export function withCompared(groups: readonly UpliftGroup[]): readonly UpliftGroup[] {
  const has = (arm: string) => groups.some((group) => group.arm === arm);
  const compared = groups.filter(
    ({ arm }) =>
      (arm === 'none' && has('learned')) ||
      (['learned', 'holdout'].includes(arm) && has('learned') && has('holdout')),
  );
  return [...groups, ...compared.map((group) => ({ ...group, isCompared: true }))];
}
