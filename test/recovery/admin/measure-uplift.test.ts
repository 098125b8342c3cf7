import { expect, it } from 'vitest';
import { minClusters } from '../../../src/policy/evaluation/cluster-bootstrap.ts';
import { measureUplift } from '../../../src/recovery/admin/measure-uplift.ts';
import type { UpliftArm, UpliftGroup } from '../../../src/recovery/uplift.ts';
import { upliftGroup, withCompared } from '../../kits/uplift-groups.ts';

const arm = (name: UpliftArm, count: number, change: Partial<UpliftGroup> = {}) =>
  Array.from({ length: count }, (_, group) =>
    upliftGroup({ arm: name, group, recovered: (group % 3) + 1, ...change }),
  );

it('parts are in order of currency, dimension and name', () => {
  const of = (currency: string, dimension: UpliftGroup['dimension'], part: string) =>
    arm('learned', 1, { currency, dimension, part });
  const { parts } = measureUplift([
    ...of('USD', 'all', ''),
    ...of('EUR', 'method', 'visa'),
    ...of('EUR', 'decline_class', 'later'),
    ...of('CHF', 'all', ''),
    ...of('EUR', 'decline_class', 'expired'),
    ...of('EUR', 'all', ''),
  ]);
  expect(parts.map(({ currency, dimension, part }) => [currency, dimension, part])).toEqual([
    ['CHF', 'all', ''],
    ['EUR', 'all', ''],
    ['EUR', 'decline_class', 'expired'],
    ['EUR', 'decline_class', 'later'],
    ['EUR', 'method', 'visa'],
    ['USD', 'all', ''],
  ]);
});

it('figures have an interval from twenty groups on, a difference where both arms do', () => {
  const measured = (learned: number, holdout: number) => {
    const [part] = measureUplift(
      withCompared([...arm('learned', learned), ...arm('holdout', holdout)]),
    ).parts;
    const rate = (of: 'learned' | 'holdout') =>
      part?.arms.find((each) => each.arm === of)?.figures.recovered_rate;
    const hasInterval = (figure: object | undefined) => figure !== undefined && 'low' in figure;
    return [rate('learned'), rate('holdout'), part?.difference?.recovered_rate].map(hasInterval);
  };
  expect(measured(minClusters, minClusters)).toEqual([true, true, true]);
  expect(measured(minClusters, minClusters - 1)).toEqual([true, false, false]);
  expect(measured(minClusters - 1, minClusters)).toEqual([false, true, false]);
});

it('learned payments stand beside those of before any model of the same merchants, on the whole alone', () => {
  const before = arm('none', 25, { recovered: 1, recoveredMinor: 1_000, netMinor: 1_000 });
  const groups = [
    ...withCompared([...arm('learned', 25), ...arm('holdout', 25)]),
    ...before,
    ...before.map((group) => ({ ...group, isCompared: true })),
    // Of merchants that never had a learned payment.
    ...arm('none', 25, { recovered: 4, recoveredMinor: 4_000, netMinor: 4_000 }),
  ];
  const [whole] = measureUplift(groups).parts;
  const learned = whole?.arms.find((each) => each.arm === 'learned')?.figures.recovered_rate?.value;
  expect(whole?.former?.payments).toBe(100);
  expect(whole?.former?.difference.recovered_rate).toEqual({
    value: (learned ?? 0) - 0.25,
    low: expect.any(Number),
    high: expect.any(Number),
  });
  // What is compared with the holdout is as it is without them.
  const [alone] = measureUplift(groups.filter((group) => group.arm !== 'none')).parts;
  expect(whole?.difference).toEqual(alone?.difference);
  expect(alone).not.toHaveProperty('former');
  const split = groups.map((group) => ({ ...group, dimension: 'method' as const, part: 'visa' }));
  expect(measureUplift(split).parts[0]).not.toHaveProperty('former');
});

it('groups without a payment in an arm do not count for its interval', () => {
  const empty = arm('holdout', 30, { payments: 0, failedMinor: 0 }).slice(15);
  const [part] = measureUplift([
    ...arm('learned', 30),
    ...arm('holdout', 15),
    ...empty.map((group) => ({ ...group, recovered: 0, recoveredMinor: 0, netMinor: 0 })),
  ]).parts;
  const holdout = part?.arms.find((each) => each.arm === 'holdout');
  expect(holdout?.figures.recovered_rate).toEqual({ value: expect.any(Number) });
});
