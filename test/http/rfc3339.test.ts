import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRfc3339 } from '../../src/http/rfc3339.ts';

test.each([
  '1970-01-01T00:00:00Z',
  '2026-01-31T09:30:00.123456789+05:30',
  '2026-01-31t09:30:00z',
  '2024-02-29T23:59:59-00:00',
  '2000-02-29T00:00:00+23:59',
  '9999-12-31T23:59:59Z',
])('takes %s', (text) => {
  expect(isRfc3339(text)).toBe(true);
  expect(Number.isNaN(Date.parse(text))).toBe(false);
});

test.each([
  '',
  '2026-01-31',
  '2026-01-31T09:30Z',
  '2026-01-31T09:30:00',
  '2026-01-31 09:30:00Z',
  '2026-1-31T09:30:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:60:00Z',
  '2026-06-30T23:59:60Z',
  '2026-01-31T09:30:00+24:00',
  '2026-01-31T09:30:00+0530',
  '2026-01-31T09:30:00.Z',
  '1969-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-05:00',
  ' 2026-01-31T09:30:00Z',
  '2026-01-31T09:30:00Z\n',
  '٢٠٢٦-01-31T09:30:00Z',
])('refuses %j', (text) => {
  expect(isRfc3339(text)).toBe(false);
});

test('takes every instant that a JavaScript date writes', () => {
  const instants = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(instants, (at) => isRfc3339(at.toISOString())));
});

test('takes no day that does not exist', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1970, max: 9999 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 31 }),
      (year, month, day) => {
        const at = new Date(Date.UTC(year, month - 1, day));
        const two = (value: number): string => value.toString().padStart(2, '0');
        const exists = at.getUTCMonth() === month - 1;
        expect(isRfc3339(`${year}-${two(month)}-${two(day)}T00:00:00Z`)).toBe(exists);
      },
    ),
  );
});
