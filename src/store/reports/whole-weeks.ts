import { addMs, dayMs } from '../../domain/clock.ts';

const weekMs = 7 * dayMs;
/** A Monday, 00:00 UTC. */
const mondayMs = Date.UTC(1970, 0, 5);

/** The times of a query, as `inTime` takes them. */
export interface TimeInWeeks {
  /** Whole weeks begin at the first of these or later, and before the second; undefined: no bound. */
  readonly weeks: readonly [from: Date | undefined, to: Date | undefined];
  /** What lies before and after them: each from the first time on, and before the second. */
  readonly edges: readonly (readonly [from: Date, to: Date])[];
}

/** Divides a time into whole weeks, for which there are sums, and the rest at its two ends. */
export function inWeeks(since: Date | undefined, until: Date | undefined): TimeInWeeks {
  const from = since && floorWeek(addMs(since, weekMs - 1));
  const to = until && floorWeek(until);
  const edges: (readonly [Date, Date])[] = [];
  const least = (a: Date, b: Date | undefined) => (b !== undefined && b < a ? b : a);
  if (since !== undefined && from !== undefined) edges.push([since, least(from, until)]);
  if (until !== undefined && to !== undefined) {
    const begin = from === undefined ? to : least(from, until);
    edges.push([begin > to ? begin : to, until]);
  }
  return { weeks: [from, to], edges: edges.filter(([begin, end]) => begin < end) };
}

/** A week's first day as the database takes it. The one after the last that may be asked for is of the year 10000. */
export function weekText(week: Date): string {
  return week.getUTCFullYear() > 9999 ? 'infinity' : week.toISOString().slice(0, 10);
}

function floorWeek(at: Date): Date {
  const weeks = Math.floor((at.getTime() - mondayMs) / weekMs);
  return new Date(mondayMs + weeks * weekMs);
}
