const shape =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The end of the year 9999, beyond which a year has no four digits. */
const endMs = Date.UTC(10_000, 0, 1);

/** What `isRfc3339` takes, in words for the user. */
export const rfc3339Text =
  'Input should be an RFC 3339 timestamp from 1970 to 9999, such as 2026-01-31T09:30:00Z';

/**
 * Whether a text is an RFC 3339 timestamp of a day that exists, from 1970 to 9999, so that every
 * date library and PostgreSQL read the same instant from it. Leap seconds (`:60`) are refused: a
 * JavaScript date has none.
 */
export function isRfc3339(text: string): boolean {
  if (!shape.test(text)) return false;
  const day = Number(text.slice(8, 10));
  if (day > 28 && day > daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)))) return false;
  return !text.startsWith('9999') || Date.parse(text) < endMs;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
