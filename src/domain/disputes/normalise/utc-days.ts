import { dayMs } from '../../clock.ts';

/**
 * Days from one date to another by the UTC calendar: 23:59 to 00:01 of the next day is one. The hour
 * never counts, since networks and PSPs name dates. Negative where `to` is the earlier one.
 */
export function utcDaysBetween(from: Date, to: Date): number {
  return utcDay(to) - utcDay(from);
}

/** The number of the UTC day since 1 January 1970. */
export function utcDay(at: Date): number {
  return Math.floor(at.getTime() / dayMs);
}

/** The first instant of a UTC day. */
export function startOfUtcDay(day: number): Date {
  return new Date(day * dayMs);
}
