import { dayMs, hourMs, minuteMs } from '../../domain/clock.ts';

/**
 * Whole hours and days on the payer's own clock, counted from 1970-01-01T00. A change to or from
 * summer time within a recovery moves its times by an hour, which no rule here depends on.
 */
export function localHour(atMs: number, utcOffsetMinutes: number): number {
  return Math.floor((atMs + utcOffsetMinutes * minuteMs) / hourMs);
}

/** The instant at which a local hour begins. */
export function hourStartMs(hour: number, utcOffsetMinutes: number): number {
  return hour * hourMs - utcOffsetMinutes * minuteMs;
}

const dates = new Map<number, string>();

/** That instant in ISO 8601, as `toISOString` has it: plans are full of them, and their days are few. */
export function hourStartIso(hour: number, utcOffsetMinutes: number): string {
  const minutes = hour * 60 - utcOffsetMinutes;
  const day = Math.floor(minutes / 1440);
  let date = dates.get(day);
  if (date === undefined) {
    date = new Date(day * dayMs).toISOString().slice(0, 'yyyy-mm-ddT'.length);
    dates.set(day, date);
  }
  const minute = minutes - day * 1440;
  return `${date}${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:00.000Z`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** The local day in which a local hour lies, counted from 1970-01-01. */
export function dayOfHour(hour: number): number {
  return Math.floor(hour / 24);
}

/** From 0 to 23. */
export function hourOfDay(hour: number): number {
  return hour - 24 * Math.floor(hour / 24);
}

/** Sunday is 0. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/**
 * From 1 to 31. Reckoned as in Hinnant's days_from_civil (public domain), in years that begin with March, so
 * that a leap day ends one: features ask for it so often that a Date for each answer would be felt.
 */
export function dayOfMonth(day: number): number {
  const since = day + daysToEpoch;
  const ofEra = since - Math.floor(since / daysOfEra) * daysOfEra;
  const leaps = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const year = Math.floor((ofEra - leaps) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  return ofYear - Math.floor((153 * month + 2) / 5) + 1;
}

/** Days from 0000-03-01 to 1970-01-01, and of 400 years. */
const [daysToEpoch, daysOfEra] = [719_468, 146_097];

/** Days that are left of the month after this one; 0 on its last. */
export function daysLeftInMonth(day: number): number {
  const date = new Date(day * dayMs);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
  return last.getUTCDate() - date.getUTCDate();
}

/** Days without bank business besides weekends, as local days; made by `holidayCalendar`. */
export interface HolidayCalendar {
  readonly holidays: ReadonlySet<number>;
}

/** A calendar of dates as `2027-07-05`. Keep and share it: tables are built once for each. */
export function holidayCalendar(dates: readonly string[]): HolidayCalendar {
  return { holidays: new Set(dates.map((date) => Date.parse(`${date}T00:00:00Z`) / dayMs)) };
}

/** Weekends only: for payers whose country is not known. */
export const weekendCalendar: HolidayCalendar = holidayCalendar([]);

/** Whether banks work on a local day: no weekend and no holiday of the calendar. */
export function isBusinessDay(calendar: HolidayCalendar, day: number): boolean {
  const name = weekdayOf(day);
  return name !== 0 && name !== 6 && !calendar.holidays.has(day);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes that a zone (IANA name) is ahead of UTC at an instant. RangeError for unknown names. */
export function zoneOffsetMinutes(zone: string, at: Date): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
