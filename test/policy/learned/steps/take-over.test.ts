import { assert, double, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judgeTakeOver,
  type TakeOverGroup,
  takeOverSteps,
} from '../../../../src/policy/learned/steps/take-over.ts';
import { daysToWait, pauseDays } from '../../../../src/policy/learned/steps/trial-pause.ts';

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

const noTrials = { failedTrials: 0, windowDays: 28, daysSince: 0, isAnother: false };

const judge = (
  step: (typeof takeOverSteps)[number],
  groups: readonly TakeOverGroup[],
  trials = noTrials,
) => judgeTakeOver({ step, hasTrainedModel: true, groups, trials });

describe('the share that the learned policy plans', () => {
  it('begins with a tenth, once a trained model is there', () => {
    expect(judge(0, [])).toMatchObject({ step: 0.1 });
    for (const step of takeOverSteps) {
      const groups = groupsOf(90, 0.9, 0.1);
      const none = judgeTakeOver({ step, hasTrainedModel: false, groups, trials: noTrials });
      expect(none.step).toBe(0);
    }
  });

  it('goes up step by step where its payments surely came back as often', () => {
    expect(judge(0.1, groupsOf(90, 0.6, 0.5)).step).toBe(0.5);
    expect(judge(0.5, groupsOf(90, 0.6, 0.5)).step).toBe(0.9);
    expect(judge(0.9, groupsOf(90, 0.6, 0.5))).toMatchObject({
      step: 0.9,
      message: expect.stringMatching(/^No change: the learned policy recovered 10\.0 points more/),
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

describe('after a trial that was lost', () => {
  const lost = { ...noTrials, failedTrials: 1 };

  it('the next one waits for a window, and for twice as long after each further one', () => {
    expect(judge(0.1, groupsOf(90, 0.45, 0.5))).toMatchObject({ step: 0, failedTrials: 1 });
    expect(judge(0, [], { ...lost, daysSince: 3.5 })).toMatchObject({
      step: 0,
      message: expect.stringContaining('The last trial was lost: the next one begins in 25 days'),
    });
    expect(judge(0, [], { ...lost, daysSince: 28 })).toMatchObject({ step: 0.1, failedTrials: 1 });
    expect([0, 1, 2, 3, 4, 9].map((count) => pauseDays(count, 28))).toEqual([
      0, 28, 56, 112, 180, 180,
    ]);
  });

  it('the next one begins at once for another part of a model, or one that a person chose', () => {
    expect(judge(0, [], { ...lost, isAnother: true }).step).toBe(0.1);
  });

  it('a step up forgets it, and a step back to a tenth is no trial that was lost', () => {
    expect(judge(0.1, groupsOf(90, 0.6, 0.5), lost)).toMatchObject({ step: 0.5, failedTrials: 0 });
    expect(judge(0.5, groupsOf(90, 0.45, 0.5), lost)).toMatchObject({ step: 0.1, failedTrials: 1 });
  });

  it('no wait is longer after fewer lost trials, nor grows with time, nor ends before a window', () => {
    const one = property(
      integer({ min: 0, max: 40 }),
      integer({ min: 1, max: 400 }),
      double({ min: 0, max: 400, noNaN: true }),
      (failedTrials, windowDays, daysSince) => {
        const wait = (trials: number, since: number) =>
          daysToWait({ failedTrials: trials, windowDays, daysSince: since, isAnother: false });
        expect(wait(failedTrials, daysSince)).toBeLessThanOrEqual(
          wait(failedTrials + 1, daysSince),
        );
        expect(wait(failedTrials, daysSince + 1)).toBeLessThanOrEqual(
          wait(failedTrials, daysSince),
        );
        const whole = pauseDays(failedTrials, windowDays);
        expect(whole === 0 || whole >= windowDays).toBe(true);
        expect(wait(failedTrials, whole)).toBe(0);
      },
    );
    assert(one);
  });
});
