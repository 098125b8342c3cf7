import { describe, expect, it } from 'vitest';
import { daysOf, evenDays, policyOf, sharesOf } from '../../src/domain/merchant.ts';

const span = { windowDays: 28, maxAttempts: 8 };
const shares = { holdoutShare: 0.2 };

describe('an even spread', () => {
  it.each([
    [28, 8, [3, 7, 10, 14, 17, 21, 24, 28]],
    [28, 1, [28]],
    [10, 3, [3, 6, 10]],
    [3, 5, [1, 2, 3]],
    [1, 4, [1]],
    [28, 0, []],
  ])('of %i days and %i tries is at the end of each part', (windowDays, maxAttempts, days) => {
    expect(evenDays(windowDays, maxAttempts)).toEqual(days);
  });
});

describe('what a merchant chose', () => {
  const days = [1, 3, 5];

  it('of a fixed policy are its days, with the shares kept for later', () => {
    const policy = policyOf({ kind: 'fixed', ...span, fixedDays: days, shares });
    expect(policy).toEqual({ kind: 'fixed', ...span, fixedDays: days, kept: shares });
    expect([daysOf(policy), sharesOf(policy)]).toEqual([days, shares]);
    const plain = policyOf({ kind: 'fixed', ...span, fixedDays: days, shares: {} });
    expect(plain).toStrictEqual({ kind: 'fixed', ...span, fixedDays: days });
    expect(sharesOf(plain)).toEqual({});
  });

  it('of an even policy is its span, with other days kept for later', () => {
    const other = policyOf({ kind: 'even', ...span, fixedDays: days, shares });
    expect(other).toEqual({ kind: 'even', ...span, kept: { fixedDays: days, ...shares } });
    expect(daysOf(other)).toEqual(days);
    const spread = policyOf({ kind: 'even', ...span, fixedDays: evenDays(28, 8), shares: {} });
    expect(spread).toStrictEqual({ kind: 'even', ...span });
    expect(daysOf(spread)).toEqual(evenDays(28, 8));
    expect(policyOf({ kind: 'even', ...span, fixedDays: evenDays(28, 8), shares })).toEqual({
      kind: 'even',
      ...span,
      kept: shares,
    });
  });

  it('of a learned policy are its days and its shares', () => {
    const policy = policyOf({ kind: 'learned', ...span, fixedDays: days, shares });
    expect(policy).toEqual({ kind: 'learned', ...span, fixedDays: days, ...shares });
    expect(daysOf(policy)).toEqual(days);
    expect(sharesOf(policy)).toMatchObject(shares);
  });
});
