const exact = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

const short = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

const month = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** In the viewer's zone, to the second, and the same in UTC. */
export function exactTime(at: Date): string {
  return `${exact.format(at)} = ${at.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

/** In the viewer's zone, to the minute. */
export function shortTime(at: Date): string {
  return short.format(at);
}

/** A month such as `2026-05` in words: `May 2026`. */
export function monthText(name: string): string {
  return month.format(new Date(`${name}-01T00:00:00Z`));
}

/** A text of the service with its instants in the viewer's zone. */
export function localTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g, (at) =>
    shortTime(new Date(at)),
  );
}

/** The viewer's zone with what it is ahead of UTC now: `Europe/Berlin, GMT+1`. */
export function zoneName(now: Date): string {
  const { timeZone } = exact.resolvedOptions();
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return [timeZone, offset].filter((part) => part !== undefined && part !== '').join(', ');
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A span in its two largest units: `2 d 3 h`, `4 min`. */
export function span(ms: number): string {
  const left = Math.abs(ms);
  if (left < minuteMs) return `${Math.round(left / 1_000)} s`;
  if (left < hourMs) return `${Math.floor(left / minuteMs)} min`;
  if (left < dayMs) {
    return two(Math.floor(left / hourMs), 'h', Math.floor((left % hourMs) / minuteMs), 'min');
  }
  return two(Math.floor(left / dayMs), 'd', Math.floor((left % dayMs) / hourMs), 'h');
}

function two(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

/** `in 2 d 3 h` or `4 min ago`. */
export function relativeTime(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  if (Math.abs(ms) < 1_000) return 'now';
  return ms > 0 ? `in ${span(ms)}` : `${span(ms)} ago`;
}
