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

it.each([undefined, 'XX', 'ZZ'])('knows weekends alone of %s', async (country) => {
  expect(await calendarOf(country)).toBe(weekendCalendar);
});
