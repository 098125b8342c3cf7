import { TZDate } from '@date-fns/tz';

/** An instant that counts its days, months and years in a zone; in the viewer's where none is named. */
export function inZone(at: Date, zone: string | undefined): Date {
  return zone === undefined ? new Date(at) : new TZDate(at, zone);
}

/** Where a day begins; months count from 0, and what lies outside of a month is counted on. */
export function dayIn(
  zone: string | undefined,
  day: { readonly year: number; readonly month: number; readonly date: number },
): Date {
  const { year, month, date } = day;
  return zone === undefined ? new Date(year, month, date) : new TZDate(year, month, date, zone);
}

/** Whether the browser knows a zone by this name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
