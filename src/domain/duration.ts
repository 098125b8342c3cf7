import { dayMs, hourMs, minuteMs, secondMs } from './clock.ts';

/** A duration read, or a sentence that says why the text is none. */
export type DurationReading = { readonly durationMs: number } | { readonly fault: string };

const shape =
  /^P(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?<time>T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+)(?:[.,](?<fraction>\d{1,3}))?S)?)?$/;

/** A century: beyond it a duration is a slip of the keyboard, and dates begin to overflow. */
const longestMs = 36_525 * dayMs;

/**
 * Exact milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as
 * `P1D`, `PT36H` or `P1W2DT0.5S`. Years and months are refused, since their length depends on the
 * calendar; so is a sign, and anything longer than a century. A day is 24 hours.
 */
export function parseIsoDuration(text: string): DurationReading {
  const parts = shape.exec(text)?.groups;
  if (parts === undefined || /[PT]$/.test(text)) {
    return { fault: 'must be an ISO 8601 duration such as P1D, PT12H or P1W' };
  }
  if (parts.years !== undefined || parts.months !== undefined) {
    return { fault: 'may not use years or months, whose length varies: give days, such as P30D' };
  }
  const durationMs =
    Number(parts.weeks ?? 0) * 7 * dayMs +
    Number(parts.days ?? 0) * dayMs +
    Number(parts.hours ?? 0) * hourMs +
    Number(parts.minutes ?? 0) * minuteMs +
    Number(parts.seconds ?? 0) * secondMs +
    Number((parts.fraction ?? '').padEnd(3, '0'));
  return durationMs > longestMs ? { fault: 'may not be longer than 100 years' } : { durationMs };
}

const units = [
  ['D', dayMs],
  ['H', hourMs],
  ['M', minuteMs],
] as const;

/** The ISO 8601 text of whole milliseconds, in days, hours, minutes and seconds: `P1DT2H`. */
export function formatIsoDuration(durationMs: number): string {
  let restMs = durationMs;
  const counted = units.map(([letter, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count === 0 ? '' : `${count}${letter}`;
  });
  const [days = '', ...clock] = counted;
  const seconds = restMs === 0 ? '' : `${restMs / secondMs}S`;
  const time = clock.join('') + seconds;
  if (days === '' && time === '') return 'PT0S';
  return `P${days}${time === '' ? '' : `T${time}`}`;
}
