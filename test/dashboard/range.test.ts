import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earlierSpan, spanLabel } from '../../dashboard/src/state/comparison.ts';
import { rangeLabel, rangeOf, rangeText, spanOf } from '../../dashboard/src/state/range.ts';

const now = new Date('2026-05-15T12:30:40Z');
const zones = Intl.supportedValuesOf('timeZone');

/** The day of an instant as the runtime's own calendar of that zone has it. */
function dayThere(at: string, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(
    new Date(at),
  );
}

describe('days of a zone', () => {
  it('stand in the address, and are read from it as they were', () => {
    const day = fc
      .integer({ min: 0, max: 9_000 })
      .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
    fc.assert(
      fc.property(
        day,
        day,
        fc.option(fc.constantFrom(...zones), { nil: undefined }),
        (a, b, zone) => {
          const [first = a, last = b] = [a, b].toSorted();
          const range = { first, last, ...(zone !== undefined && { zone }) };
          expect(rangeOf(rangeText(range))).toEqual(range);
        },
      ),
    );
  });

  it('begin and end with the days of that zone, whatever its clocks do', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 16_000, max: 21_000 }),
        fc.integer({ min: 0, max: 40 }),
        (zone, start, length) => {
          const dayAt = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
          const [first, last] = [dayAt(start), dayAt(start + length)];
          const { from = '', until = '' } = spanOf({ first, last, zone }, now);
          const justBefore = (at: string) => new Date(Date.parse(at) - 1).toISOString();
          expect([from, until].every((at) => at.endsWith('Z'))).toBe(true);
          expect(dayThere(from, zone)).toBe(first);
          expect(dayThere(justBefore(from), zone) < first).toBe(true);
          expect(dayThere(justBefore(until), zone)).toBe(last);
          expect(dayThere(until, zone) > last).toBe(true);
        },
      ),
      // Days that a zone left out, as Samoa did on 30 December 2011, are before these.
      {
        examples: [
          ['America/New_York', 20_520, 0],
          ['Australia/Lord_Howe', 20_000, 10],
        ],
      },
    );
  });

  it('are compared with whole months and days of the same zone', () => {
    const march = { first: '2026-03-01', last: '2026-03-31', zone: 'America/New_York' };
    expect(earlierSpan(march, now, 'before')).toEqual({
      from: new Date('2026-02-01T05:00:00Z'),
      until: new Date('2026-03-01T05:00:00Z'),
      zone: 'America/New_York',
    });
    const week = { ...march, first: '2026-03-08', last: '2026-03-14' };
    const before = earlierSpan(week, now, 'before');
    expect(before).toMatchObject({
      from: new Date('2026-03-01T05:00:00Z'),
      until: new Date('2026-03-08T05:00:00Z'),
    });
    expect(before && spanLabel(before)).toMatch(/Mar 1\s–\s7, 2026/);
    expect(earlierSpan(week, now, 'year')?.until).toEqual(new Date('2025-03-15T04:00:00Z'));
  });

  it('are named with their zone', () => {
    const range = rangeOf('2026-05-01..2026-05-03@America/New_York');
    expect(rangeLabel(range)).toMatch(/^May 1\s–\s3, 2026, New York$/);
  });

  it.each([
    '2026-05-01..2026-05-03@Mars/Olympus',
    '2026-05-03..2026-05-01',
    '2026-05-01..2026-02-30',
    '2026-05-01',
    '',
  ])('%o names no days: it is the last 30 days', (text) => {
    expect(rangeOf(text)).toBe('30d');
  });
});
