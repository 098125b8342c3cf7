import { describe, expect, it } from 'vitest';
import {
  judgeTakeOver,
  type TakeOverGroup,
  takeOverSteps,
} from '../../../src/policy/learned/take-over.ts';

/** So many groups of payers alike, a few more or less paid in each. */
function groupsOf(count: number, learnedRate: number, scheduledRate: number): TakeOverGroup[] {
  return Array.from({ length: count }, (_, at) => {
    const more = (at % 3) - 1;
    return {
      learned: 20,
      learnedPaid: Math.round(20 * learnedRate) + more,
      scheduled: 20,
      scheduledPaid: Math.round(20 * scheduledRate) - more,
    };
  });
}

const judge = (step: (typeof takeOverSteps)[number], groups: readonly TakeOverGroup[]) =>
  judgeTakeOver({ step, hasTrainedModel: true, groups });

describe('the share that the learned policy plans', () => {
  it('begins with a tenth, once a trained model is there', () => {
    expect(judge(0, [])).toMatchObject({ step: 0.1 });
    for (const step of takeOverSteps) {
      const none = judgeTakeOver({ step, hasTrainedModel: false, groups: groupsOf(90, 0.9, 0.1) });
      expect(none.step).toBe(0);
    }
  });

  it('goes up step by step where its payments surely came back as often', () => {
    expect(judge(0.1, groupsOf(90, 0.6, 0.5)).step).toBe(0.5);
    expect(judge(0.5, groupsOf(90, 0.6, 0.5)).step).toBe(0.9);
    expect(judge(0.9, groupsOf(90, 0.6, 0.5))).toMatchObject({
      step: 0.9,
      message: expect.stringMatching(/^It stays: the learned policy recovered 10\.0 points more/),
    });
  });

  it('steps back where they surely came back less often', () => {
    expect(judge(0.9, groupsOf(90, 0.45, 0.5)).step).toBe(0.5);
    expect(judge(0.5, groupsOf(90, 0.45, 0.5)).step).toBe(0.1);
    expect(judge(0.1, groupsOf(90, 0.45, 0.5))).toMatchObject({
      step: 0,
      message: expect.stringMatching(
        /^A step back: the learned policy recovered 5\.0 points less \(95 %: \d\.\d to \d\.\d\)\.$/,
      ),
    });
  });

  it('stays where nothing is sure: the same rates, and too few payers', () => {
    const unsure = Array.from({ length: 90 }, (_, at) => ({
      learned: 4,
      learnedPaid: at % 5,
      scheduled: 4,
      scheduledPaid: (at * 3) % 5,
    }));
    expect(judge(0.1, unsure)).toMatchObject({
      step: 0.1,
      message: expect.stringContaining('Not sure yet'),
    });
    expect(judge(0.1, groupsOf(9, 0.9, 0.1)).step).toBe(0.1);
    expect(judge(0.5, groupsOf(9, 0.1, 0.9)).step).toBe(0.5);
  });
});
