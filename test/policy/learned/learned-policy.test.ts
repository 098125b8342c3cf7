import { expect, it } from 'vitest';
import {
  economicsOf,
  learnedDefaults,
  lossPerDayOf,
} from '../../../src/policy/learned/learned-policy.ts';

const costs = { feeMinor: 5, annoyanceShare: 0.002, lossPerDay: 0.004 };

it('what a try and a day cost is the same share for every budget', () => {
  expect(economicsOf(costs, 2_000)).toEqual({
    feeShare: 0.0025,
    annoyanceShare: 0.002,
    lossPerDay: 0.004,
  });
});

it('the fee of a try is a share of the amount, which is one minor unit at least', () => {
  expect(economicsOf(costs, 1).feeShare).toBe(5);
  expect(economicsOf(costs, 0).feeShare).toBe(5);
});

it("the share lost with each day is the default, and a merchant's own the more days it has", () => {
  const usual = learnedDefaults.costs.lossPerDay;
  expect(lossPerDayOf({ cancelled: 0, openDays: 0 })).toBe(usual);
  expect(lossPerDayOf({ cancelled: 3, openDays: -5 })).toBeCloseTo(usual + 3 / 1_000, 12);
  expect(lossPerDayOf({ cancelled: 20, openDays: 1_000 })).toBeCloseTo((20 + 4) / 2_000, 12);
});
