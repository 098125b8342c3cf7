import { addMs, hourMs, minuteMs } from '../clock.ts';

export interface QuietHours {
  /** IANA name. */
  readonly timeZone: string;
  /** Whole hours on that zone's clock; equal: nothing is quiet. */
  readonly quietFrom: number;
  readonly quietUntil: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The hour and minute on a zone's clock. */
export function localTime(
  at: Date,
  timeZone: string,
): { readonly hour: number; readonly minute: number } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const parts = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en-GB', parts);
    formats.set(timeZone, format);
  }
  const [hour = 0, minute = 0] = format.format(at).split(':').map(Number);
  return { hour, minute };
}

/** The month on a zone's calendar, such as `2027-03`. */
export function localMonth(at: Date, timeZone: string): string {
  const parts = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', parts).format(at).slice(0, 'yyyy-mm'.length);
}

/** Whether an instant lies in the quiet hours, which may span midnight. */
export function isQuiet(at: Date, quiet: QuietHours): boolean {
  const { quietFrom: from, quietUntil: until } = quiet;
  const { hour } = localTime(at, quiet.timeZone);
  return from <= until ? from <= hour && hour < until : hour >= from || hour < until;
}

/**
 * The first moment from `at` on that is not quiet: `at` itself, or the end of these quiet hours, to the
 * minute. A night in which the clock is set is an hour longer or shorter.
 */
export function endOfQuiet(at: Date, quiet: QuietHours): Date {
  let moment = at;
  // A day's quiet hours end within it: hour by hour, so that a clock that is set is seen.
  for (let step = 0; step < 26 && isQuiet(moment, quiet); step += 1) {
    const intoHourMs = moment.getTime() % minuteMs;
    const { minute } = localTime(moment, quiet.timeZone);
    moment = addMs(moment, hourMs - minute * minuteMs - intoHourMs);
  }
  return moment;
}
