import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../../src/domain/clock.ts';
import {
  activeCanPay,
  beliefArrays,
  believe,
  meanCanPay,
} from '../../../../src/policy/learned/belief/belief.ts';
import {
  hypothesisCount,
  startBelief,
} from '../../../../src/policy/learned/belief/belief-parameters.ts';
import { believedDay } from '../../../../src/policy/learned/belief/believed-day.ts';
import { weighPast } from '../../../../src/policy/learned/belief/past-evidence.ts';
import { cycleCount, fundedShares } from '../../../../src/policy/learned/belief/pay-cycles.ts';
import { weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import { plainFacts } from '../plain-facts.ts';
import { retryFacts } from '../retry-facts.ts';

const parameters = priorModel.belief;
const someDay = 20_500;
const failedAtMs = Date.UTC(2026, 0, 13, 12);
const someFacts = plainFacts(failedAtMs);

describe('a belief', () => {
  it('is the same in arrays that held another one', () => {
    const arrays = beliefArrays();
    fc.assert(
      fc.property(retryFacts, (facts) => {
        const [again, fresh] = [
          believe(parameters, weekendCalendar, facts, arrays),
          believe(parameters, weekendCalendar, facts),
        ];
        expect(again).toEqual(fresh);
        expect(activeCanPay(weekendCalendar, again, someDay * 24 + 10, arrays.canPay)).toBe(
          activeCanPay(weekendCalendar, fresh, someDay * 24 + 10, arrays.canPay),
        );
      }),
    );
  });

  it('has as its mean what its hypotheses have, at any hour', () => {
    const out = new Float64Array(hypothesisCount);
    fc.assert(
      fc.property(retryFacts, fc.integer({ min: -48, max: 1_440 }), (facts, after) => {
        const belief = believe(parameters, weekendCalendar, facts);
        const hour = belief.anchorHour + after;
        const mean = activeCanPay(weekendCalendar, belief, hour, out);
        expect(meanCanPay(weekendCalendar, belief, hour)).toBeCloseTo(mean, 12);
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
    const charge = fc.record({
      day: fc.integer({ min: someDay - 400, max: someDay }),
      succeeded: fc.boolean(),
      trust: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 24 }), (past) => {
        const weights = new Float64Array(hypothesisCount).fill(1);
        const { past: signs, canPay: sums } = beliefArrays();
        signs.count = past.length;
        signs.days.set(past.map(({ day }) => day));
        signs.trusts.set(past.map(({ trust }) => trust));
        signs.passed.set(past.map(({ succeeded }) => Number(succeeded)));
        weighPast({ parameters, calendar: weekendCalendar }, signs, weights, sums);
        for (let at = 0; at < cycleCount; at += 7) {
          const expected = past.reduce((product, { day, succeeded, trust }) => {
            const can = believedDay(parameters, weekendCalendar, day).funded[at] ?? 0;
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

  it('keeps a rhythm through one decline on its payday, the more where pay is often missed', () => {
    const decline = { category: 'later', code: '51' } as const;
    // Declined on Friday 2026-01-16 too: what is left of weekly pay on Fridays that lasts 0.4 of the week.
    const facts = {
      ...someFacts,
      tries: [{ atMs: Date.UTC(2026, 0, 16, 12), decline }],
      nowMs: Date.UTC(2026, 0, 16, 13),
    };
    const fridays = 5 * fundedShares.length + 2;
    const left = (missed: number) => {
      const held = { ...startBelief(), missed: [missed, missed, missed, missed] };
      const before = believe(held, weekendCalendar, { ...facts, tries: [] }).weights[fridays] ?? 0;
      const after = believe(held, weekendCalendar, facts).weights[fridays] ?? 0;
      return after / before;
    };
    expect(left(0.3)).toBeGreaterThan(2 * left(0.02));
    expect(left(0.3)).toBeGreaterThan(0.2);
  });
});
