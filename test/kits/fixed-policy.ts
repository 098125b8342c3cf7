import type { FixedPolicy } from '../../src/domain/merchant.ts';

/** A schedule of few days near to each other, for tests that follow one try after the other. */
export const fixedPolicy: FixedPolicy = {
  kind: 'fixed',
  windowDays: 28,
  maxAttempts: 8,
  fixedDays: [1, 3, 5, 7],
};
