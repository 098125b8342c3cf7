import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../src/domain/clock.ts';
import { normaliseDecline } from '../../../../src/domain/declines/normalise-decline.ts';
import {
  coverageChance,
  coverageFacts,
  plainCoverage,
} from '../../../../src/policy/learned/coverage/coverage-model.ts';
import { leadingFactors } from '../../../../src/policy/learned/coverage/leading-factors.ts';
import { planCoverage } from '../../../../src/policy/learned/coverage/plan-coverage.ts';
import { trainCoverage } from '../../../../src/policy/learned/coverage/train-coverage.ts';
import type { RetryFacts, TrainingRow } from '../../../../src/policy/learned/retry-facts.ts';

const lacksFunds = normaliseDecline({ psp: 'sandbox', network: 'visa', networkCode: '51' });
const failedAtMs = Date.parse('2026-03-01T10:00:00Z');
const failedHour = failedAtMs / hourMs;

function factsOf(paymentId = 'p', triedDays: readonly number[] = []): RetryFacts {
  return {
    paymentId,
    merchantId: 'm',
    amountMinor: 1_000,
    currency: 'EUR',
    utcOffsetMinutes: 0,
    past: [],
    nowMs: failedAtMs + (triedDays.at(-1) ?? 0) * dayMs,
    failedAtMs,
    windowEndsAtMs: failedAtMs + 28 * dayMs,
    firstDecline: lacksFunds,
    tries: triedDays.map((day) => ({ atMs: failedAtMs + day * dayMs, decline: lacksFunds })),
    triesLeft: 4 - triedDays.length,
  };
}

/** One try a day from the 2nd to the 28th; those of the 10th to the 12th pass. */
const rows: readonly TrainingRow[] = Array.from({ length: 40 }, (_, payment) =>
  Array.from({ length: 27 }, (_unused, at) => ({
    facts: factsOf(`p${payment}`),
    atMs: failedAtMs + (at + 1) * dayMs,
    succeeded: at + 2 >= 10 && at + 2 <= 12 && payment % 2 === 0,
    propensity: 1,
  })),
).flat();
const model = trainCoverage(rows);
const plan = (triedDays: readonly number[], triesLeft: number, from = model) =>
  planCoverage({
    model: from,
    facts: coverageFacts(factsOf('p', triedDays)),
    fromHour: failedHour + (triedDays.at(-1) ?? 0) * 24 + 1,
    toHour: failedHour + 28 * 24,
    triesLeft,
    lossPerDay: 0,
  });
const days = (made: ReturnType<typeof plan>) =>
  made?.tries.map(({ hour }) => Math.round((hour - failedHour) / 24));

describe('the coverage rule', () => {
  it('spreads tries over the window while it knows nothing', () => {
    const found = days(plan([], 4, plainCoverage)) ?? [];
    expect(found).toHaveLength(4);
    const gaps = found.map((day, at) => day - (found[at - 1] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3);
    expect(found.at(-1)).toBeGreaterThanOrEqual(26);
  });

  it('learns the days of the month that pass', () => {
    expect(days(plan([], 1))).toEqual([10]);
    expect(model.daysOfMonth[10]).toBeGreaterThan(2);
    expect(model.daysOfMonth[20]).toBeLessThan(0.7);
  });

  it('foretells as many successes as it learned from', () => {
    const expected = rows.reduce(
      (sum, { facts, atMs }) => sum + coverageChance(model, coverageFacts(facts), atMs / hourMs),
      0,
    );
    const seen = rows.filter(({ succeeded }) => succeeded).length;
    expect(Math.abs(expected / seen - 1)).toBeLessThan(0.06);
  });

  it('holds a day for less likely the nearer a decline is to it', () => {
    const at = (day: number, tried: readonly number[]) =>
      coverageChance(plainCoverage, coverageFacts(factsOf('p', tried)), failedHour + day * 24);
    expect(at(10, [9])).toBeLessThan(at(10, [7]));
    expect(at(10, [7])).toBeLessThan(at(10, []));
    expect(at(10, [9]) / at(10, [])).toBeCloseTo(1 - Math.exp(-1 / 3), 6);
  });

  it('counts newer tries for more', () => {
    const old = rows.map((row) => ({
      ...row,
      facts: { ...row.facts, paymentId: `old-${row.facts.paymentId}` },
      atMs: row.atMs - 3 * 365 * dayMs,
      succeeded: new Date(row.atMs).getUTCDate() === 25,
    }));
    expect(days(planOf(trainCoverage([...old, ...rows])))).toEqual([10]);
    function planOf(from: typeof model) {
      return plan([], 1, from);
    }
  });

  it('says which factors moved a chance', () => {
    const [first] = leadingFactors(model, coverageFacts(factsOf()), failedHour + 10 * 24);
    expect(first).toMatchObject({ feature: 'day_of_month' });
    expect(first?.effect).toBeGreaterThan(0.05);
  });

  it('plans inside what is allowed, each hour once, in order of time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 900 }),
        (left, span) => {
          const facts = coverageFacts(factsOf());
          const fromHour = failedHour + 1;
          const made = planCoverage({
            model,
            facts,
            fromHour,
            toHour: fromHour + span,
            triesLeft: left,
            lossPerDay: 0.01,
          });
          const hours = made?.tries.map(({ hour }) => hour) ?? [];
          expect(made?.next.hour).toBe(hours[0]);
          expect(hours.length).toBeGreaterThan(0);
          expect(hours.length).toBeLessThanOrEqual(left);
          expect(new Set(hours).size).toBe(hours.length);
          expect(hours).toEqual([...hours].sort((a, b) => a - b));
          expect(hours.every((hour) => hour >= fromHour && hour <= fromHour + span)).toBe(true);
        },
      ),
    );
  });
});
