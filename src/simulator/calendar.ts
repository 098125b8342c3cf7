import { dayMs, hourMs } from '../domain/clock.ts';

/**
 * The world's first midnight, a Friday, after the newest dated rule of the networks. All times of the
 * world are hours from here, in the payer's local time; they are written as if that was UTC.
 */
const worldStart = new Date('2027-01-01T00:00:00.000Z');

/** The instant of a whole hour of the world. */
export function instantOf(hour: number): Date {
  return new Date(worldStart.getTime() + hour * hourMs);
}

/** The first whole hour at or after an instant. */
export function hourOf(at: Date): number {
  return Math.ceil((at.getTime() - worldStart.getTime()) / hourMs);
}

/** The whole hour in which an instant lies. */
export function floorHourOf(at: Date): number {
  return Math.floor((at.getTime() - worldStart.getTime()) / hourMs);
}

/** The same hour and day of the month, so many months before; the last day of shorter months. */
export function hourMonthsBefore(hour: number, months: number): number {
  const at = instantOf(hour);
  const wanted = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() - months + 1, 0);
  at.setUTCDate(Math.min(wanted, at.getUTCDate()));
  return hourOf(at);
}

/** Sunday is 0, as in JavaScript. Days are counted from the world's start. */
export function weekday(day: number): number {
  return (((day + 5) % 7) + 7) % 7;
}

export interface Calendar {
  /** From 1 to 31. */
  dayOfMonth(day: number): number;
  isLastOfMonth(day: number): boolean;
  /** The day itself, or the last one before it on which banks pay out. */
  businessDayBefore(day: number): number;
}

/** The days from `firstDay` to `lastDay`, with the US federal holidays of their years. */
export function buildCalendar(firstDay: number, lastDay: number): Calendar {
  const count = lastDay - firstDay + 1;
  const monthDays = new Uint8Array(count + 1);
  const businessDays = new Int32Array(count);
  let latest = firstDay;
  for (let index = 0; index <= count; index += 1) {
    const day = firstDay + index;
    const date = new Date(worldStart.getTime() + day * dayMs);
    monthDays[index] = date.getUTCDate();
    if (isBusinessDay(date)) latest = day;
    if (index < count) businessDays[index] = latest;
  }
  return {
    dayOfMonth: (day) => monthDays[day - firstDay] ?? 0,
    isLastOfMonth: (day) => monthDays[day - firstDay + 1] === 1,
    businessDayBefore: (day) => businessDays[day - firstDay] ?? day,
  };
}

/** Whether the Federal Reserve's banks are open: holidays on a Sunday are kept on the Monday. */
export function isBusinessDay(date: Date): boolean {
  const day = date.getUTCDay();
  if (day === 0 || day === 6) return false;
  const yesterday = new Date(date.getTime() - dayMs);
  return !isHoliday(date) && !(day === 1 && isHoliday(yesterday));
}

/** Days from Monday to Friday on which the banks of the world are closed, as `2027-07-05`. */
export function bankHolidays(): readonly string[] {
  const dates: string[] = [];
  const end = worldStart.getTime() + 3 * 366 * dayMs;
  for (let at = worldStart.getTime() - 366 * dayMs; at < end; at += dayMs) {
    const date = new Date(at);
    const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
    if (!isWeekend && !isBusinessDay(date)) dates.push(date.toISOString().slice(0, 10));
  }
  return dates;
}

const fixedHolidays = new Set(['1-1', '6-19', '7-4', '11-11', '12-25']);

/** US federal holidays, 5 U.S.C. 6103: five fixed dates, six Mondays and Thursdays of a month. */
function isHoliday(date: Date): boolean {
  const [month, day, name] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
  if (fixedHolidays.has(`${month}-${day}`)) return true;
  const nth = Math.ceil(day / 7);
  if (name === 4) return month === 11 && nth === 4;
  if (name !== 1) return false;
  if (month === 5) return day + 7 > 31;
  return (
    ((month === 1 || month === 2) && nth === 3) ||
    (month === 9 && nth === 1) ||
    (month === 10 && nth === 2)
  );
}
