import { expect, test } from 'vitest';
import { likelyShare } from '../../../src/domain/disputes/likely-share.ts';

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
