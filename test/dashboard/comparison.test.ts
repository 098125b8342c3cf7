import { describe, expect, it } from 'vitest';
import { comparisonOf, earlierSpan } from '../../dashboard/src/state/comparison.ts';
import type { Range } from '../../dashboard/src/state/range.ts';

const now = new Date(2026, 4, 15, 12, 30, 40);
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date);

describe('the time that a range is compared with', () => {
  it.each<[string, Range, Date, Date]>([
    ['whole days', { first: '2026-05-04', last: '2026-05-10' }, day(2026, 4, 27), day(2026, 5, 4)],
    ['one day', { first: '2026-05-04', last: '2026-05-04' }, day(2026, 5, 3), day(2026, 5, 4)],
    ['a month', { first: '2026-03-01', last: '2026-03-31' }, day(2026, 2, 1), day(2026, 3, 1)],
    ['a quarter', { first: '2026-04-01', last: '2026-06-30' }, day(2026, 1, 1), day(2026, 4, 1)],
    // The last week of March has an hour less where the clocks go forward.
    [
      'a short day',
      { first: '2026-03-30', last: '2026-04-05' },
      day(2026, 3, 23),
      day(2026, 3, 30),
    ],
  ])('is as long a one before, of %s', (_, range, from, until) => {
    expect(earlierSpan(range, now, 'before')).toEqual({ from, until });
  });

  it('is directly before a preset, which ends in this minute', () => {
    const until = new Date(2026, 4, 8, 12, 30);
    expect(earlierSpan('7d', now, 'before')).toEqual({
      from: new Date(until.getTime() - 7 * 86_400_000),
      until,
    });
  });

  it.each<[Range, Date, Date]>([
    [{ first: '2026-05-04', last: '2026-05-10' }, day(2025, 5, 4), day(2025, 5, 11)],
    [{ first: '2024-02-29', last: '2024-02-29' }, day(2023, 2, 28), day(2023, 3, 1)],
  ])('is the same days of the year before: %o', (range, from, until) => {
    expect(earlierSpan(range, now, 'year')).toEqual({ from, until });
  });

  it('is none of all time, and none where none is wanted', () => {
    expect(earlierSpan('all', now, 'before')).toBeUndefined();
    expect(earlierSpan('7d', now, 'none')).toBeUndefined();
  });

  it('is the time before unless an address says otherwise', () => {
    expect(comparisonOf(undefined)).toBe('before');
    expect(comparisonOf('century')).toBe('before');
    expect(comparisonOf('year')).toBe('year');
  });
});
