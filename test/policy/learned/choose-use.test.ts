import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../src/domain/clock.ts';
import { unitOf } from '../../../src/policy/learned/hash.ts';
import { dayOfMonth, weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import type { RetryFacts, TrainingRow } from '../../../src/policy/learned/retry-facts.ts';
import { profileLosses, slotProfiles } from '../../../src/policy/learned/training/slot-profile.ts';
import { trainModel } from '../../../src/policy/learned/training/train-model.ts';

const begin = Date.UTC(2026, 0, 5);

function factsOf(index: number): RetryFacts {
  const failedAtMs = begin + Math.floor(unitOf(`${index}`, 'failed') * 200) * dayMs + 12 * hourMs;
  return {
    paymentId: `in_${index}`,
    merchantId: 'm_1',
    amountMinor: 1_000,
    currency: 'USD',
    utcOffsetMinutes: 0,
    past: [],
    nowMs: failedAtMs,
    failedAtMs,
    windowEndsAtMs: failedAtMs + 28 * dayMs,
    firstDecline: { category: 'later', code: '51' },
    tries: [],
    triesLeft: 4,
  };
}

/** Tries pass from the 8th to the 12th of each month, of the payers of even numbers. */
function row(index: number): TrainingRow {
  const facts = factsOf(index);
  const atMs = facts.nowMs + Math.ceil(unitOf(`${index}`, 'slot') * 20 * 24) * hourMs;
  const date = dayOfMonth(Math.floor(atMs / dayMs));
  return { facts, atMs, succeeded: date >= 8 && date <= 12 && index % 2 === 0, propensity: 1 };
}

const rows = Array.from({ length: 1_600 }, (_, index) => row(index));

describe('which part of a model plans', () => {
  it('is the plain rule where the belief chooses no better days', () => {
    const trained = trainModel(rows, { version: 'test', calendar: weekendCalendar });
    expect(trained.use).toBe('coverage');
    expect(trained.coverage?.daysOfMonth[9]).toBeGreaterThan(2);
  });

  it('is the plain rule while too little is held out to tell', () => {
    const few = trainModel(rows.slice(0, 200), { version: 'test', calendar: weekendCalendar });
    expect(few.use).toBe('coverage');
  });
});

describe('the loss of a choice of days', () => {
  const some = rows.slice(0, 60);

  it('is the same for every chance that differs in its level alone', () => {
    const levels = slotProfiles(some, () => () => 0.2);
    const chanceAt = (level: number) => () => (hour: number) => level * (1 + (hour % 5) / 10);
    const low = profileLosses(some, slotProfiles(some, chanceAt(0.01)), levels);
    const high = profileLosses(some, slotProfiles(some, chanceAt(0.3)), levels);
    low.forEach((loss, at) => {
      expect(loss).toBeCloseTo(high[at] ?? 0, 9);
    });
  });

  it('is lower for who knows the days', () => {
    const levels = slotProfiles(some, () => () => 0.1);
    const isGood = (hour: number) => {
      const date = dayOfMonth(Math.floor(hour / 24));
      return date >= 8 && date <= 12;
    };
    const knowing = slotProfiles(some, () => (hour) => (isGood(hour) ? 0.5 : 0.02));
    const sum = (losses: Float64Array) => losses.reduce((total, loss) => total + loss, 0);
    expect(sum(profileLosses(some, knowing, levels))).toBeLessThan(
      sum(profileLosses(some, levels, levels)),
    );
  });
});
