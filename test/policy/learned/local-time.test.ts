import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/domain/clock.ts';
import { dayOfMonth, hourStartIso, hourStartMs } from '../../../src/policy/learned/local-time.ts';

describe('the beginning of a local hour', () => {
  it('is written as Date writes it, in every zone, before 1970 too', () => {
    const hours = fc.integer({ min: -200_000, max: 2_000_000 });
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(hours, offsets, (hour, offset) => {
        const byDate = new Date(hourStartMs(hour, offset)).toISOString();
        expect(hourStartIso(hour, offset)).toBe(byDate);
      }),
    );
  });
});

describe('the day of the month', () => {
  it('is what Date says, on each day of five hundred years, before 1970 too', () => {
    const days = Array.from({ length: 500 * 366 }, (_, at) => at - 250 * 366);
    const wrong = days.filter((day) => dayOfMonth(day) !== new Date(day * dayMs).getUTCDate());
    expect(wrong).toEqual([]);
  });
});
