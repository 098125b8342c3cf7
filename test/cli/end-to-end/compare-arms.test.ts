import { expect, it } from 'vitest';
import { compareArms } from '../../../src/cli/end-to-end/compare-arms.ts';

const end = (isHeldOut: boolean, recovered: boolean, amountMinor = 100) => ({
  index: 0,
  isHeldOut,
  recovered,
  amountMinor,
  tries: 2,
});

it('says how far the arms are apart, with an interval as wide as chance makes it', () => {
  const ends = Array.from({ length: 400 }, (_, index) =>
    end(index % 2 === 0, index % 4 === 0 || index % 8 === 1 || index % 8 === 3, 1 + (index % 3)),
  );
  const { learned, holdout, difference, amountDifference } = compareArms(ends);
  expect([learned.payments, holdout.payments]).toEqual([200, 200]);
  expect([learned.share, holdout.share]).toEqual([0.5, 0.5]);
  expect(difference.value).toBe(0);
  // 1.96 x sqrt(2 x 0.25 / 200).
  expect(difference.high).toBeCloseTo(0.098, 3);
  expect(amountDifference.high).toBeGreaterThan(difference.high);
});

it('has no tries per recovery where nothing was recovered', () => {
  const { learned, holdout } = compareArms([end(false, false), end(true, true)]);
  expect([learned.triesPerRecovery, holdout.triesPerRecovery]).toEqual([undefined, 2]);
});
