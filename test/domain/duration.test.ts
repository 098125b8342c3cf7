import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../src/domain/clock.ts';
import { formatIsoDuration, parseIsoDuration } from '../../src/domain/duration.ts';

describe('parseIsoDuration', () => {
  it.each([
    ['P1D', dayMs],
    ['P1W', 7 * dayMs],
    ['P1W2D', 9 * dayMs],
    ['PT12H', 12 * hourMs],
    ['PT36H', 36 * hourMs],
    ['P1DT2H30M', dayMs + 2 * hourMs + 30 * minuteMs],
    ['PT0S', 0],
    ['PT0.5S', 500],
    ['PT0,025S', 25],
    ['P36525D', 36_525 * dayMs],
  ])('reads %s exactly', (text, durationMs) => {
    expect(parseIsoDuration(text)).toEqual({ durationMs });
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1D',
    'P-1D',
    '-P1D',
    'P1.5D',
    'P1H',
    'PT1D',
    'p1d',
    ' P1D',
    'P1D\n',
    'PT0.1234S',
    'P1D2W',
  ])('refuses %j with an example', (text) => {
    expect(parseIsoDuration(text)).toEqual({
      fault: 'must be an ISO 8601 duration such as P1D, PT12H or P1W',
    });
  });

  it.each(['P1M', 'P1Y', 'P1Y2M3D', 'P1MT1M'])('refuses %s, whose length varies', (text) => {
    expect(parseIsoDuration(text)).toEqual({
      fault: 'may not use years or months, whose length varies: give days, such as P30D',
    });
  });

  it.each(['P36526D', `P${'9'.repeat(400)}D`])('refuses more than a century (%#)', (text) => {
    expect(parseIsoDuration(text)).toEqual({ fault: 'may not be longer than 100 years' });
  });

  it('reads back whatever formatIsoDuration writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_525 * dayMs }), (durationMs) => {
        expect(parseIsoDuration(formatIsoDuration(durationMs))).toEqual({ durationMs });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^P[0-9YMWDTHS.]*$/)), (text) => {
        const reading = parseIsoDuration(text);
        expect('fault' in reading || Number.isSafeInteger(reading.durationMs)).toBe(true);
      }),
    );
  });
});

describe('formatIsoDuration', () => {
  it.each([
    [0, 'PT0S'],
    [dayMs, 'P1D'],
    [dayMs + 2 * hourMs, 'P1DT2H'],
    [90_500, 'PT1M30.5S'],
  ])('writes %i ms as %s', (durationMs, text) => {
    expect(formatIsoDuration(durationMs)).toBe(text);
  });
});
