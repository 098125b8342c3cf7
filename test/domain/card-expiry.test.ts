import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cardEnd, isCardExpired, lastMonth } from '../../src/domain/card-expiry.ts';

const at = (text: string): Date => new Date(text);

it.each([
  ['02', '2028', '2028-03-01T11:59:59.999Z', false],
  ['02', '2028', '2028-03-01T12:00:00.000Z', true],
  ['2', '28', '2028-02-29T23:00:00.000Z', false],
  ['2', '28', '2028-03-02T00:00:00.000Z', true],
  ['12', '2026', '2027-01-01T11:59:59.999Z', false],
  ['12', '2026', '2027-01-01T12:00:00.000Z', true],
  ['12', '99', '2026-11-21T00:00:00.000Z', false],
])(
  'month %s of %s at %s: expired is %s, since it ends with the last zone',
  (month, year, now, expired) => {
    expect(isCardExpired({ month, year }, at(now))).toBe(expired);
  },
);

it.each([
  [undefined, '2020'],
  ['01', undefined],
  ['13', '2020'],
  ['00', '2020'],
  ['1', '020'],
  ['January', '2020'],
  ['01', '-2020'],
])('takes month %j of year %j for nothing said', (month, year) => {
  expect(isCardExpired({ month, year }, at('2026-11-21T00:00:00Z'))).toBe(false);
});

it('never takes a card that has expired back', () => {
  const times = fc.date({ min: at('2020-01-01'), max: at('2040-01-01'), noInvalidDate: true });
  const months = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(months, fc.integer({ min: 2020, max: 2040 }), times, times, (month, year, a, b) => {
      const [early, late] = a < b ? [a, b] : [b, a];
      const card = { month: String(month), year: String(year) };
      if (isCardExpired(card, early)) expect(isCardExpired(card, late)).toBe(true);
    }),
  );
});

it('names the last month that a card is good for', () => {
  const end = cardEnd({ month: '12', year: '26' });
  expect(end).toEqual(at('2027-01-01T00:00:00.000Z'));
  expect(end && lastMonth(end)).toBe('2026-12');
});
