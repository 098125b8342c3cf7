import { expect, test } from 'vitest';
import { likelyShare } from '../../../dashboard/src/pages/disputes/likely-share.ts';
import { winText } from '../../../dashboard/src/pages/disputes/win-text.ts';

test.each([
  // The bounds of R's binom.test.
  [3, 5, 0.1466, 0.9473],
  [18, 30, 0.406, 0.7734],
  [0, 10, 0, 0.3085],
  [10, 10, 0.6915, 1],
  [1_000, 2_000, 0.4779, 0.5221],
])('%i of %i may stand for %f to %f', (part, whole, low, high) => {
  const share = likelyShare(part, whole);
  expect(share.low).toBeCloseTo(low, 3);
  expect(share.high).toBeCloseTo(high, 3);
});

test('a share is stated with its interval and n, of few the numbers alone', () => {
  expect(winText({ won: 18, lost: 12 })).toBe('60% [41, 77] of 30');
  expect(winText({ won: 1, lost: 8 })).toBe('1 of 9, too few');
  expect(winText({ won: 0, lost: 0 })).toBe('none decided');
});
