import { expect, it } from 'vitest';
import { dayMs } from '../../../src/domain/clock.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { openPlanner } from '../../../src/policy/learned/open-planner.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import { wrongModel } from '../../../src/simulator/end-to-end/wrong-model.ts';

it('the wrong model spends all tries within two days of the failure', () => {
  const nowMs = Date.parse('2027-03-01T10:00:00Z');
  const facts = {
    paymentId: 'p',
    merchantId: 'm',
    amountMinor: 2_000,
    currency: 'USD',
    utcOffsetMinutes: 0,
    past: [],
    nowMs,
    failedAtMs: nowMs,
    windowEndsAtMs: nowMs + 28 * dayMs,
    firstDecline: { category: 'later', code: '51' } as const,
    tries: [],
    triesLeft: 4,
  };
  const economics = { feeShare: 0, annoyanceShare: 0, lossPerDay: 0.004 };
  const hour = nowMs / 3_600_000;
  const daysOf = (model: typeof priorModel) =>
    openPlanner({ model, calendar: weekendCalendar }, facts, economics)
      .plan(hour, hour + 28 * 24)
      ?.tries.map((slot) => Math.floor((slot.hour - hour) / 24));
  expect(Math.max(...(daysOf(wrongModel(priorModel)) ?? [99]))).toBeLessThanOrEqual(1);
  expect(Math.max(...(daysOf(priorModel) ?? [0]))).toBeGreaterThan(7);
});
