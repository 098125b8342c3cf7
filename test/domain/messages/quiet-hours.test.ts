import { expect, test } from 'vitest';
import { endOfQuiet, isQuiet } from '../../../src/domain/messages/quiet-hours.ts';

const night = { timeZone: 'Europe/Berlin', quietFrom: 20, quietUntil: 9 };

test.each([
  // Summer: two hours ahead of UTC.
  ['2026-06-10T10:00:00.000Z', '2026-06-10T10:00:00.000Z'],
  ['2026-06-10T18:00:00.000Z', '2026-06-11T07:00:00.000Z'],
  ['2026-06-10T06:59:59.999Z', '2026-06-10T07:00:00.000Z'],
  // The clock is set forward in this night, and back in that one.
  ['2026-03-28T22:15:30.500Z', '2026-03-29T07:00:00.000Z'],
  ['2026-10-24T22:15:30.500Z', '2026-10-25T08:00:00.000Z'],
])('at %s quiet hours end at %s', (at, end) => {
  expect(endOfQuiet(new Date(at), night).toISOString()).toBe(end);
});

test('the hours of a day may be quiet, and of a zone half an hour apart', () => {
  const day = { timeZone: 'Asia/Kolkata', quietFrom: 9, quietUntil: 17 };
  const at = new Date('2026-06-10T04:00:00.000Z');
  expect(endOfQuiet(at, day).toISOString()).toBe('2026-06-10T11:30:00.000Z');
});

test('equal hours are none', () => {
  const at = new Date('2026-06-10T04:00:00.000Z');
  expect(isQuiet(at, { ...night, quietFrom: 5, quietUntil: 5 })).toBe(false);
});
