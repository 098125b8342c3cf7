import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { chanceCurve } from '../../../src/policy/learned/chance-curve.ts';
import { plainCoverage } from '../../../src/policy/learned/coverage/coverage-model.ts';
import { decideLearned } from '../../../src/policy/learned/decide-learned.ts';
import { fixedPolicy } from '../../kits/fixed-policy.ts';
import { day, failedAt, planInput } from '../plan-input.ts';
import { learnedInput } from './learned-inputs.ts';

const curveOf = (change: Parameters<typeof planInput>[0], paymentMethodId = 'pm_1') =>
  chanceCurve(learnedInput({ plan: planInput(change) }), paymentMethodId);

describe('the chances of a payment over its window', () => {
  it.each([
    [1, 1, 25],
    [13.96, 1, 336],
    [14, 2, 169],
    [27.96, 2, 336],
    [28, 3, 225],
    [41.96, 3, 336],
    [42, 4, 253],
    [55.96, 4, 336],
    [56, 6, 225],
    [60, 6, 241],
  ])('of %d days go by steps of %i hours, %i of them at most', (days, stepHours, steps) => {
    const curve = curveOf({ windowEndsAt: addMs(failedAt, days * dayMs) });
    expect(curve?.stepMs).toBe(stepHours * hourMs);
    expect(curve?.chances.length).toBeLessThanOrEqual(steps);
    expect(curve?.chances.length).toBeGreaterThan(steps - 3);
  });

  it('are of one method, begin with the next whole hour, and lie between 0 and 1', () => {
    const curve = curveOf({ now: addMs(failedAt, 20 * 60_000) });
    expect(curve).toMatchObject({
      paymentMethodId: 'pm_1',
      from: addMs(failedAt, hourMs),
      allowedAt: addMs(failedAt, 20 * 60_000),
      utcOffsetMinutes: -300,
    });
    expect(curve).not.toHaveProperty('boundBy');
    expect(curve?.chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true);
    expect(new Set(curve?.chances).size).toBeGreaterThan(10);
    expect(curve?.chances.every((chance) => Number(chance.toPrecision(4)) === chance)).toBe(true);
    expect(curveOf({})?.from).toEqual(failedAt);
  });

  it.each(['coverage', 'logistic', 'boosted'] as const)(
    'are those of the part of the model that plans, %s',
    (use) => {
      const base = learnedInput({ plan: planInput({ windowEndsAt: day(10) }) });
      const daysOfMonth = plainCoverage.daysOfMonth.map((_, at) => (at % 5 === 0 ? 3 : 0.5));
      const coverage = { ...plainCoverage, daysOfMonth };
      const model = { ...base.policy.model, use, coverage };
      const input = { ...base, policy: { ...base.policy, model } };
      const { decision } = decideLearned(input);
      const curve = chanceCurve(input, 'pm_1');
      for (const { at, score } of decision.candidates ?? []) {
        const step = (Date.parse(at) - (curve?.from.getTime() ?? 0)) / hourMs;
        expect(curve?.chances[Math.floor(step)]).toBeCloseTo(score, 3);
      }
      const chosen = (Date.parse(decision.at ?? '') - (curve?.from.getTime() ?? 0)) / hourMs;
      expect(curve?.chances[Math.floor(chosen)]).toBeCloseTo(decision.chance ?? 0, 3);
    },
  );

  it('say what holds the method back', () => {
    const firstDecline = { category: 'later', code: '51', waitMs: 3 * dayMs } as const;
    expect(curveOf({ firstDecline })).toMatchObject({
      allowedAt: day(3),
      boundBy: expect.stringContaining('advised to wait'),
    });
  });

  it('are none of a method that may not be tried, or once the window is over', () => {
    expect(curveOf({}, 'pm_other')).toBeUndefined();
    expect(curveOf({ firstDecline: { category: 'never', code: '43' } })).toBeUndefined();
    expect(curveOf({ now: day(fixedPolicy.windowDays) })).toBeUndefined();
    expect(curveOf({ now: addMs(day(fixedPolicy.windowDays), -1) })?.chances).toHaveLength(1);
  });
});
