import { expect, it } from 'vitest';
import {
  economicsOf,
  learnedDefaults,
  lossPerDayOf,
} from '../../../src/policy/learned/learned-policy.ts';

const costs = { feeCents: 5, annoyanceShare: 0.002, lossPerDay: 0.004 };

it('what a try and a day cost is the same share for every budget', () => {
  expect(economicsOf(costs, { amountMinor: 2_000, currency: 'USD' })).toEqual({
    feeShare: 0.0025,
    annoyanceShare: 0.002,
    lossPerDay: 0.004,
  });
});

it('the fee of a try is a share of the amount, which is one minor unit at least', () => {
  expect(economicsOf(costs, { amountMinor: 1, currency: 'USD' }).feeShare).toBe(5);
  expect(economicsOf(costs, { amountMinor: 0, currency: 'USD' }).feeShare).toBe(5);
});

it('the fee is worth about as much in every currency, whatever its minor unit; none where it is not known', () => {
  const shareOf = (amountMinor: number, currency: string) =>
    economicsOf(costs, { amountMinor, currency }).feeShare;
  // Twenty dollars' worth of each.
  expect(shareOf(3_000, 'JPY')).toBeCloseTo(0.0025, 6);
  expect(shareOf(6_140, 'KWD')).toBeCloseTo(0.0025, 6);
  expect(shareOf(1_780, 'EUR')).toBeCloseTo(0.0025, 6);
  expect(shareOf(2_000, 'XTS')).toBe(0);
  expect(shareOf(2_000, 'constructor')).toBe(0);
});

it("the share lost with each day is the default, and a merchant's own the more days it has", () => {
  const usual = learnedDefaults.costs.lossPerDay;
  expect(lossPerDayOf({ cancelled: 0, openDays: 0 })).toBe(usual);
  expect(lossPerDayOf({ cancelled: 3, openDays: -5 })).toBeCloseTo(usual + 3 / 1_000, 12);
  expect(lossPerDayOf({ cancelled: 20, openDays: 1_000 })).toBeCloseTo((20 + 4) / 2_000, 12);
});
