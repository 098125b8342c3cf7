import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstRamp } from '../../../src/policy/learned/belief/belief-parameters.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import {
  type Economics,
  greedySlot,
  planSlots,
  type Slot,
} from '../../../src/policy/learned/plan-slots.ts';
import { openScorer, type Scorer } from '../../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';

const fromHour = 24 * 20_000;
/** Ten in the morning, so many days ahead. */
const dayAt = (day: number): number => fromHour + 24 * day + 10;

/** One hypothesis that can always pay: each try passes or not on its own, by the chance of its hour. */
function scorerOf(score: (hour: number) => number): Scorer {
  const real = openScorer(priorModel, weekendCalendar, {
    paymentId: 'in_1',
    merchantId: 'm_1',
    amountMinor: 2_000,
    currency: 'USD',
    utcOffsetMinutes: 0,
    past: [],
    nowMs: 0,
    failedAtMs: 0,
    windowEndsAtMs: 1,
    firstDecline: { category: 'later', code: '51' },
    tries: [],
    triesLeft: 4,
  });
  const belief = {
    ...real.prepared.belief,
    active: Uint16Array.of(firstRamp),
    activeWeights: Float64Array.of(1),
    activeCycles: 0,
    anchorHour: -1_000_000,
  };
  return { ...real, prepared: { ...real.prepared, belief }, score };
}

interface Plain {
  readonly triesLeft?: number;
  readonly cost?: number;
  readonly lossPerDay?: number;
}

/** Days with their chances, at ten in the morning; every other hour has none. */
function inputOf(
  chances: readonly number[],
  { triesLeft = 2, cost = 0.01, lossPerDay = 0 }: Plain,
) {
  const economics: Economics = { feeShare: cost / 4, annoyanceShare: (3 * cost) / 4, lossPerDay };
  const chanceAt = (hour: number): number => {
    const day = (hour - dayAt(0)) / 24;
    return Number.isInteger(day) ? (chances[day] ?? 0) : 0;
  };
  const toHour = dayAt(chances.length - 1);
  return { scorer: scorerOf(chanceAt), fromHour, toHour, triesLeft, economics };
}

const hoursOf = (slots: readonly Slot[] = []): readonly number[] => slots.map(({ hour }) => hour);
/** Chances are scaled by a belief that is one ten-thousandth too high. */
const digits = 3;

describe('tries that pass on their own', () => {
  it('go to the likeliest days, in order of time', () => {
    const plan = planSlots(inputOf([0.1, 0.2, 0.5, 0.1, 0.6, 0.1], {}));
    expect(hoursOf(plan?.tries)).toEqual([dayAt(2), dayAt(4)]);
    expect(plan?.next).toMatchObject({ hour: dayAt(2), chance: 0.5 });
    // The second one is worth what the first one leaves, less its cost.
    expect(plan?.worth).toBeCloseTo(0.6 - 0.01 + 0.5 * 0.4 - 0.01, digits);
  });

  it('are none where none is worth its costs, and fewer where the next one is not', () => {
    expect(planSlots(inputOf([0.1, 0.2], { cost: 0.21 }))).toBeUndefined();
    expect(greedySlot(inputOf([0.1, 0.2], { cost: 0.21 }))).toBeUndefined();
    const plan = planSlots(inputOf([0.1, 0.6, 0.1, 0.5], { cost: 0.21 }));
    expect(hoursOf(plan?.tries)).toEqual([dayAt(1)]);
  });

  it('lose what is lost with the days before them', () => {
    const lossPerDay = 0.1;
    const plan = planSlots(inputOf([0.5, 0, 0, 0, 0, 0.6], { triesLeft: 1, lossPerDay }));
    expect(hoursOf(plan?.tries)).toEqual([dayAt(0)]);
    expect(plan?.worth).toBeCloseTo(0.5 * Math.exp((-lossPerDay * 10) / 24) - 0.01, digits);
    const [best] = plan?.candidates ?? [];
    expect(best).toMatchObject({ hour: dayAt(0), chance: 0.5 });
  });

  it('begin where that is worth most, each costing only where those before it failed', () => {
    const percent = (min: number, max: number) =>
      fc.integer({ min, max }).map((whole) => whole / 100);
    let moved = 0;
    fc.assert(
      fc.property(
        fc.array(percent(0, 90), { minLength: 3, maxLength: 7 }),
        fc.integer({ min: 2, max: 4 }),
        percent(1, 20),
        percent(0, 20),
        (chances, triesLeft, cost, lossPerDay) => {
          const input = inputOf(chances, { triesLeft, cost, lossPerDay });
          const plan = planSlots(input);
          if (plan === undefined) return;
          const worthOf = (hours: readonly number[]): number => {
            let [worth, open] = [0, 1];
            for (const hour of hours) {
              const gain = open * input.scorer.score(hour);
              worth += gain * Math.exp((-lossPerDay * (hour - fromHour)) / 24) - open * cost;
              open -= gain;
            }
            return worth;
          };
          const [first = 0, ...others] = hoursOf(plan.tries);
          const gaps = others.map((hour, at) => hour - ([first, ...others][at] ?? 0));
          expect(Math.min(20, ...gaps)).toBe(20);
          const latest = (others[0] ?? Number.POSITIVE_INFINITY) - 20;
          const slots = chances.map((_, day) => dayAt(day)).filter((hour) => hour <= latest);
          const worths = slots.map((hour) => worthOf([hour, ...others]));
          expect(worthOf([first, ...others])).toBeGreaterThan(Math.max(...worths) - 0.002);
          if (others.length > 0) moved += 1;
        },
      ),
      { numRuns: 1_000 },
    );
    expect(moved).toBeGreaterThan(300);
  });

  it('are chosen among all days of a long window', () => {
    const chances = Array.from({ length: 60 }, (_, day) =>
      day % 29 === 28 ? 0.5 : 0.1 + day / 1_000,
    );
    const plan = planSlots(inputOf(chances, {}));
    expect(hoursOf(plan?.tries)).toEqual([dayAt(28), dayAt(57)]);
  });

  it('begin no later than a day before those that follow', () => {
    // From six o'clock: three in the afternoon is too near to the next day's ten.
    const input = inputOf([0, 0.6], {});
    const soon = new Map([
      [fromHour + 7, 0.2],
      [fromHour + 15, 0.5],
    ]);
    const score = (hour: number): number => soon.get(hour) ?? input.scorer.score(hour);
    const scorer = { ...input.scorer, score };
    const plan = planSlots({ ...input, scorer, fromHour: fromHour + 6 });
    expect(hoursOf(plan?.tries)).toEqual([fromHour + 7, dayAt(1)]);
  });

  it('are a day apart at least, but for the hours soon after the failure', () => {
    // The first hour, the fourth and the ninth are weighed beside the days.
    const input = inputOf([0, 0.3, 0.3], { triesLeft: 4 });
    const soon = new Map([1, 4, 9].map((hour, at) => [fromHour + hour, 0.3 + at / 10]));
    const score = (hour: number): number => soon.get(hour) ?? input.scorer.score(hour);
    const plan = planSlots({ ...input, scorer: { ...input.scorer, score } });
    expect(hoursOf(plan?.tries)).toEqual([fromHour + 9, dayAt(1), dayAt(2)]);
  });
});

describe('the hour of the chosen day', () => {
  const refinedTo = (bestHour: number, window: { fromHour?: number; toHour?: number } = {}) => {
    const input = inputOf([0, 0.4, 0], { triesLeft: 1 });
    const best = dayAt(1) - 10 + bestHour;
    const score = (hour: number): number => (hour === best ? 0.5 : input.scorer.score(hour));
    const plan = planSlots({ ...input, scorer: { ...input.scorer, score }, ...window });
    return (plan?.next.hour ?? 0) - (dayAt(1) - 10);
  };

  it.each([0, 5, 6, 7, 8, 9, 13, 16, 20])('is %i where that passes more often', (hour) => {
    expect(refinedTo(hour)).toBe(hour);
  });

  it.each([3, 23])('is ten where only %i would be better, which is not weighed', (hour) => {
    expect(refinedTo(hour)).toBe(10);
  });

  it('stays ten where the others pass as often', () => {
    const input = inputOf([0, 0.4, 0], { triesLeft: 1 });
    const score = (hour: number): number =>
      hour >= dayAt(1) - 10 && hour < dayAt(2) - 10 ? 0.4 : 0;
    const plan = planSlots({ ...input, scorer: { ...input.scorer, score } });
    expect(plan?.next.hour).toBe(dayAt(1));
  });

  it('is one that is allowed', () => {
    const midnight = dayAt(1) - 10;
    // Ten o'clock is the first hour after nine, too.
    expect(refinedTo(9, { fromHour: midnight + 9 })).toBe(9);
    expect(refinedTo(8, { fromHour: midnight + 9 })).toBe(10);
    expect(refinedTo(13, { toHour: midnight + 13 })).toBe(13);
    expect(refinedTo(13, { toHour: midnight + 12 })).toBe(10);
  });
});
