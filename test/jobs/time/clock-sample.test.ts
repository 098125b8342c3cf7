import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestOf,
  type ClockSample,
  follow,
  sampleOf,
  uncertaintyAt,
} from '../../../src/jobs/time/clock-sample.ts';

const trip = fc.record({
  sentMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
  thereMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
  backMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
});

/** A question to a database whose time is the monotonic one plus `trueMs`. */
function ask(trueMs: number, { sentMs, thereMs, backMs }: { [name: string]: number }): ClockSample {
  const [sent = 0, there = 0, back = 0] = [sentMs, thereMs, backMs];
  const databaseMs = sent + there + trueMs;
  return sampleOf({ sentMs: sent, receivedMs: sent + there + back, databaseMs });
}

describe('a sample', () => {
  it('is never farther from the truth than it says, however unequal the two ways are', () => {
    fc.assert(
      fc.property(trip, fc.integer({ min: 0, max: 2e12 }), (way, trueMs) => {
        const sample = ask(trueMs, way);
        expect(Math.abs(sample.offsetMs - trueMs)).toBeLessThanOrEqual(sample.uncertaintyMs);
      }),
    );
  });

  it('grows less certain with time', () => {
    const sample = sampleOf({ sentMs: 0, receivedMs: 2, databaseMs: 1 });
    expect(uncertaintyAt(sample, 2)).toBe(2);
    expect(uncertaintyAt(sample, 10_002)).toBeCloseTo(7);
  });
});

describe('of many samples', () => {
  it('what is gone by stays within its uncertainty of the truth', () => {
    fc.assert(
      fc.property(fc.array(trip, { minLength: 1, maxLength: 30 }), (ways) => {
        const inOrder = ways.toSorted((a, b) => a.sentMs - b.sentMs);
        let present: ClockSample | undefined;
        for (const way of inOrder) present = follow(present, ask(1_000, way));
        if (present === undefined) throw new Error('there is a sample');
        expect(Math.abs(present.offsetMs - 1_000)).toBeLessThanOrEqual(present.uncertaintyMs);
      }),
    );
  });

  it('the one with the shortest way is the best', () => {
    const samples = [9, 3, 5].map((tripMs) =>
      sampleOf({ sentMs: 0, receivedMs: tripMs, databaseMs: 0 }),
    );
    expect(bestOf(samples)).toBe(samples[1]);
  });

  it('one that contradicts is followed, though it is less exact', () => {
    const exact = sampleOf({ sentMs: 0, receivedMs: 2, databaseMs: 1 });
    const other = sampleOf({ sentMs: 100, receivedMs: 200, databaseMs: 1_150 });
    expect(follow(exact, other)).toBe(other);
  });
});
