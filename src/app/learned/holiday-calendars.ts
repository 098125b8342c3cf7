import { type Clock, dayMs, hourMs } from '../../domain/clock.ts';
import {
  type HolidayCalendar,
  holidayCalendar,
  weekendCalendar,
} from '../../policy/learned/local-time.ts';

export type CalendarOf = (country: string | undefined) => Promise<HolidayCalendar>;

/** Before this year and after it: payments' pasts, and the windows of those that fail now. */
const [yearsBack, yearsAhead] = [2, 1];

/**
 * Days on which banks of a country rest, from date-holidays (public and bank holidays, of the whole
 * country). Each calendar is made once a year and shared, since tables are made for each object. The
 * package is loaded with the first one: most services have no learned policy at all.
 */
export function holidayCalendars(deps: { readonly clock: Clock }): CalendarOf {
  const calendars = new Map<string, Promise<HolidayCalendar>>();
  return async (country) => {
    if (country === undefined) return weekendCalendar;
    const year = deps.clock.now().getUTCFullYear();
    const key = `${country} ${year}`;
    const kept = calendars.get(key) ?? build(country, year);
    calendars.set(key, kept);
    return kept;
  };
}

async function build(country: string, year: number): Promise<HolidayCalendar> {
  const { default: Holidays } = await import('date-holidays');
  const known = new Holidays();
  if (!Object.hasOwn(known.getCountries(), country)) return weekendCalendar;
  known.init(country);
  const years = Array.from(
    { length: yearsBack + yearsAhead + 1 },
    (_, index) => year - yearsBack + index,
  );
  const dates = years.flatMap((item) =>
    known
      .getHolidays(item)
      .filter(({ type }) => type === 'public' || type === 'bank')
      .flatMap(daysOf),
  );
  return holidayCalendar(dates);
}

/** A day on which the clock is set is an hour shorter or longer. */
const clockMs = 2 * hourMs;

/**
 * Each day of a holiday: some last for several, as the new year of many countries and the feasts of others do. A part
 * of a day counts where it is all that there is.
 */
function daysOf({
  date,
  start,
  end,
}: {
  readonly date: string;
  readonly start: Date;
  readonly end: Date;
}): readonly string[] {
  const first = Date.parse(date.slice(0, 10));
  const days = Math.floor((end.getTime() - start.getTime() + clockMs) / dayMs);
  return Array.from({ length: Math.max(1, days) }, (_, at) =>
    new Date(first + at * dayMs).toISOString().slice(0, 10),
  );
}
