import { expect, it } from 'vitest';
import { verdictOf } from '../../../src/recovery/admin/uplift-verdict.ts';
import type { Figure, UpliftSums } from '../../../src/recovery/uplift.ts';
import { upliftGroup } from '../../kits/uplift-groups.ts';

const sums = (counted: number): UpliftSums => ({
  ...upliftGroup({ arm: 'learned', group: 0, recovered: 0 }),
  counted,
  failedMinor: 1_000_000,
});
const verdict = (share: Figure) =>
  verdictOf(
    { recovered_amount_rate: share, recovered_rate: { value: 0.03 } },
    sums(900),
    sums(100),
  );

it('is the share times the money of the learned payments, with its bounds', () => {
  expect(verdict({ value: 0.02, low: 0.01, high: 0.03 })).toEqual({
    result: 'more',
    learned: 900,
    holdout: 100,
    amountMinor: { value: 20_000, low: 10_000, high: 30_000 },
    rate: { value: 0.03 },
    rateResult: 'too_few',
  });
  expect(verdict({ value: -0.02, low: -0.03, high: -0.01 })?.result).toBe('less');
  expect(verdict({ value: 0.02 })).toMatchObject({
    result: 'too_few',
    amountMinor: { value: 20_000 },
  });
});

it('says how many more payments would show such a difference four times in five', () => {
  // s = 0.0784 / 3.92 = 0.02 = d: 1,000 * 2.8^2 - 1,000 = 6,840.
  const share = { value: 0.02, low: -0.0192, high: 0.0592 };
  expect(verdict(share)).toMatchObject({ result: 'not_significant', paymentsNeeded: 6_900 });
  expect(verdict({ ...share, value: -0.02 })?.paymentsNeeded).toBe(6_900);
});

it('names no number where there is no difference to speak of, and none without a figure', () => {
  const flat = verdict({ value: 0, low: -0.01, high: 0.01 });
  expect(flat?.result).toBe('not_significant');
  expect(flat).not.toHaveProperty('paymentsNeeded');
  expect(verdictOf({}, sums(1), sums(1))).toBeUndefined();
});

it('judges the rate by its own interval, whatever the money says', () => {
  const of = (rate: Figure) =>
    verdictOf(
      { recovered_amount_rate: { value: 0.02, low: 0.01, high: 0.03 }, recovered_rate: rate },
      sums(900),
      sums(100),
    );
  const unsure = of({ value: 0.02, low: -0.0192, high: 0.0592 });
  expect(unsure).toMatchObject({
    result: 'more',
    rateResult: 'not_significant',
    ratePaymentsNeeded: 6_900,
  });
  expect(unsure).not.toHaveProperty('paymentsNeeded');
  expect(of({ value: 0.02, low: 0.01, high: 0.03 })).toMatchObject({ rateResult: 'more' });
  expect(of({ value: -0.02, low: -0.03, high: -0.01 })).toMatchObject({
    result: 'more',
    rateResult: 'less',
  });
});
