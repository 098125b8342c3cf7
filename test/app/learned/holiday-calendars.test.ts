import { expect, it } from 'vitest';
import { holidayCalendars } from '../../../src/app/learned/holiday-calendars.ts';
import { isBusinessDay, weekendCalendar } from '../../../src/policy/learned/local-time.ts';

const calendarOf = holidayCalendars({ clock: { now: () => new Date('2026-11-21T00:00:00Z') } });
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

it('knows the days on which a country’s banks rest, and keeps one calendar of it', async () => {
  const us = await calendarOf('US');
  expect(isBusinessDay(us, day('2026-11-26'))).toBe(false);
  expect(isBusinessDay(us, day('2026-11-25'))).toBe(true);
  expect(isBusinessDay(await calendarOf('DE'), day('2026-11-26'))).toBe(true);
  expect(await calendarOf('US')).toBe(us);
});

it.each([
  // Two days of the new year, five of Tet, and the four of a feast, whose last one is a Saturday.
  ['RO', ['2026-01-01', '2026-01-02'], ['2025-12-31', '2026-01-05']],
  ['VN', ['2026-02-16', '2026-02-17', '2026-02-18', '2026-02-19', '2026-02-20'], ['2026-02-23']],
  ['TR', ['2026-05-27', '2026-05-28', '2026-05-29'], ['2026-05-26', '2026-06-01']],
])('knows each day of holidays that last for several in %s', async (country, rests, opens) => {
  const calendar = await calendarOf(country);
  expect(rests.filter((date) => isBusinessDay(calendar, day(date)))).toEqual([]);
  expect(opens.filter((date) => !isBusinessDay(calendar, day(date)))).toEqual([]);
});

it.each([undefined, 'XX', 'ZZ'])('knows weekends alone of %s', async (country) => {
  expect(await calendarOf(country)).toBe(weekendCalendar);
});
