import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../../src/domain/clock.ts';
import {
  activeCanPay,
  beliefArrays,
  believe,
} from '../../../../src/policy/learned/belief/belief.ts';
import { hypothesisCount } from '../../../../src/policy/learned/belief/belief-parameters.ts';
import { weighPast } from '../../../../src/policy/learned/belief/past-evidence.ts';
import { cycleCount, cycleDay } from '../../../../src/policy/learned/belief/pay-cycles.ts';
import { weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import { retryFacts } from '../retry-facts.ts';

const parameters = priorModel.belief;
const someDay = 20_500;

describe('a belief', () => {
  it('is the same in arrays that held another one', () => {
    const arrays = beliefArrays();
    fc.assert(
      fc.property(retryFacts, (facts) => {
        const [again, fresh] = [
          believe(parameters, weekendCalendar, facts, arrays),
          believe(parameters, weekendCalendar, facts),
        ];
        expect({ ...again, canPay: 0 }).toEqual({ ...fresh, canPay: 0 });
        expect(activeCanPay(weekendCalendar, again, someDay * 24 + 10, arrays.canPay)).toBe(
          activeCanPay(weekendCalendar, fresh, someDay * 24 + 10, arrays.canPay),
        );
      }),
    );
  });

  it('expects funds later where the issuer advised a longer wait', () => {
    const failedAtMs = someDay * 24 * hourMs;
    const canPayIn = (days: number, adviceCode: string) => {
      const facts = {
        paymentId: 'in_1',
        merchantId: 'm_1',
        amountMinor: 2_000,
        currency: 'USD',
        utcOffsetMinutes: 0,
        past: [],
        brand: 'mastercard' as const,
        nowMs: failedAtMs,
        failedAtMs,
        windowEndsAtMs: failedAtMs + 28 * 24 * hourMs,
        firstDecline: { category: 'later', code: '51', networkCode: '51', adviceCode } as const,
        tries: [],
        triesLeft: 4,
      };
      const belief = believe(parameters, weekendCalendar, facts);
      const hour = (someDay + days) * 24 + 10;
      return activeCanPay(weekendCalendar, belief, hour, new Float64Array(hypothesisCount));
    };
    // 24 is to try again in an hour, 30 in ten days.
    expect(canPayIn(1, '24')).toBeGreaterThan(canPayIn(1, '30'));
    expect(canPayIn(1, '30')).toBeLessThan(canPayIn(11, '30'));
  });

  it('takes each earlier charge by its chance to the power of its trust', () => {
    const signs = fc.record({
      day: fc.integer({ min: someDay - 400, max: someDay }),
      succeeded: fc.boolean(),
      trust: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 24 }), (past) => {
        const weights = new Float64Array(hypothesisCount).fill(1);
        weighPast(weekendCalendar, past, weights, new Float64Array(hypothesisCount));
        for (let at = 0; at < cycleCount; at += 7) {
          const expected = past.reduce((product, { day, succeeded, trust }) => {
            const can = cycleDay(weekendCalendar, day).funded[at] ?? 0;
            return product * (0.1 + 0.9 * (succeeded ? can : 1 - can)) ** trust;
          }, 1);
          expect((weights[at] ?? 0) / expected).toBeCloseTo(1, 10);
        }
        const usual = past.reduce(
          (product, { succeeded, trust }) => product * (succeeded ? 0.8 : 0.2) ** trust,
          1,
        );
        expect((weights[cycleCount] ?? 0) / usual).toBeCloseTo(1, 10);
      }),
    );
  });
});
