import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnedShareOf } from '../../../../src/policy/learned/learned-policy.ts';
import { judgeSegment } from '../../../../src/policy/learned/steps/segment-steps.ts';
import type {
  TakeOverGroup,
  TakeOverStep,
} from '../../../../src/policy/learned/steps/take-over.ts';

function groupsOf(learnedRate: number, scheduledRate: number, count = 60): TakeOverGroup[] {
  return Array.from({ length: count }, (_, at) => ({
    learned: 20,
    learnedPaid: Math.round(20 * learnedRate) + ((at % 3) - 1),
    scheduled: 20,
    scheduledPaid: Math.round(20 * scheduledRate) - ((at % 3) - 1),
  }));
}

const better = groupsOf(0.6, 0.5);
const worse = groupsOf(0.5, 0.6);
const trials = { failedTrials: 1, windowDays: 28, daysSince: 5, isAnother: false };

describe('a segment', () => {
  it('follows its merchant while its own payments do not tell, or nothing is on trial', () => {
    expect(judgeSegment({ merchantStep: 0.1, groups: [] })).toBeUndefined();
    expect(judgeSegment({ merchantStep: 0.5, groups: groupsOf(0.5, 0.5, 11) })).toBeUndefined();
    for (const groups of [better, worse]) {
      expect(judgeSegment({ merchantStep: 0, groups })).toBeUndefined();
    }
    // The highest step has none above it.
    expect(judgeSegment({ merchantStep: 0.9, groups: better })).toBeUndefined();
  });

  it('takes a step of its own, up or down, where they do', () => {
    expect(judgeSegment({ merchantStep: 0.1, groups: better })?.step).toBe(0.5);
    expect(judgeSegment({ merchantStep: 0.5, groups: worse })?.step).toBe(0.1);
    expect(judgeSegment({ merchantStep: 0.1, groups: worse })).toMatchObject({
      step: 0,
      failedTrials: 1,
    });
  });

  it('is judged by itself from then on, whatever its merchant does', () => {
    const merchantStep = fc.constantFrom<TakeOverStep>(0, 0.1, 0.5, 0.9);
    fc.assert(
      fc.property(merchantStep, merchantStep, (ofMerchant, step) => {
        const own = { step, trials: { ...trials, failedTrials: 0 } };
        const verdict = judgeSegment({ merchantStep: ofMerchant, own, groups: worse });
        expect(verdict?.step).toBe({ 0: 0.1, 0.1: 0, 0.5: 0.1, 0.9: 0.5 }[step]);
      }),
    );
    const waiting = judgeSegment({ merchantStep: 0.9, own: { step: 0, trials }, groups: [] });
    expect(waiting).toMatchObject({ step: 0, failedTrials: 1 });
  });
});

it('a payment is planned by the share of its segment, else by that of its merchant', () => {
  const policy = { learnedShare: 0.5, segmentShares: { annual: 0.1 } };
  expect(learnedShareOf(policy, { segment: 'annual' })).toBe(0.1);
  expect(learnedShareOf(policy, { segment: 'monthly' })).toBe(0.5);
  expect(learnedShareOf(policy, { segment: 'constructor' })).toBe(0.5);
  expect(learnedShareOf(policy, {})).toBe(0.5);
  expect(learnedShareOf({ learnedShare: 0.5 }, { segment: 'annual' })).toBe(0.5);
});
