import { type Range, spanOf } from './range.ts';
import { dayIn, inZone } from './zoned.ts';

/** What the figures of a time stand beside. */
export const comparisons = ['before', 'year', 'none'] as const;
export type Comparison = (typeof comparisons)[number];

/** From when, and before when. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
  /** Whose days they are; absent: the viewer's own. */
  readonly zone?: string;
}

const minuteMs = 60_000;
const dayForm = { month: 'short', day: 'numeric', year: 'numeric' } as const;

/** The comparison that a parameter names; what names none is the time before. */
export function comparisonOf(text: string | undefined): Comparison {
  return comparisons.find((each) => each === text) ?? 'before';
}

/**
 * The time that a range is compared with: as long a one directly before it, whole months with as many whole
 * months, or the same days of the year before. Undefined where there is none: all time has nothing before it.
 */
export function earlierSpan(range: Range, now: Date, comparison: Comparison): Span | undefined {
  const { from: first, until: last } = spanOf(range, now);
  if (comparison === 'none' || first === undefined) return undefined;
  const zone = typeof range === 'string' ? undefined : range.zone;
  const from = inZone(new Date(first), zone);
  const until = last === undefined ? minuteOf(now) : inZone(new Date(last), zone);
  if (comparison === 'year') {
    return spanIn(zone, shifted(from, -12, zone), shifted(until, -12, zone));
  }
  const months = monthsBetween(from, until, zone);
  if (months !== undefined) return spanIn(zone, shifted(from, -months, zone), from);
  const before =
    typeof range === 'string'
      ? new Date(from.getTime() - (until.getTime() - from.getTime()))
      : daysBefore(from, daysBetween(from, until), zone);
  return spanIn(zone, before, from);
}

/** Of instants, which by themselves are of no zone. */
function spanIn(zone: string | undefined, from: Date, until: Date): Span {
  const instants = { from: new Date(from), until: new Date(until) };
  return zone === undefined ? instants : { ...instants, zone };
}

/** A span in words, its last day included. */
export function spanLabel({ from, until, zone }: Span): string {
  const form = new Intl.DateTimeFormat(undefined, { ...dayForm, ...(zone && { timeZone: zone }) });
  return form.formatRange(from, new Date(until.getTime() - 1));
}

function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);
}

/** The same day and time of another month; the last day of a shorter one. */
function shifted(at: Date, months: number, zone: string | undefined): Date {
  const moved = inZone(at, zone);
  moved.setDate(1);
  moved.setMonth(moved.getMonth() + months);
  const days = new Date(moved.getFullYear(), moved.getMonth() + 1, 0).getDate();
  moved.setDate(Math.min(at.getDate(), days));
  return moved;
}

/** How many calendar months it is, where both ends are the first of one in their zone. */
function monthsBetween(from: Date, until: Date, zone: string | undefined): number | undefined {
  if (!isMonthStart(from, zone) || !isMonthStart(until, zone)) return undefined;
  return (until.getFullYear() - from.getFullYear()) * 12 + until.getMonth() - from.getMonth();
}

function isMonthStart(at: Date, zone: string | undefined): boolean {
  const first = dayIn(zone, { year: at.getFullYear(), month: at.getMonth(), date: 1 });
  return at.getTime() === first.getTime();
}

/** Calendar days: one that the clocks make shorter is one too. */
function daysBetween(from: Date, until: Date): number {
  return Math.round((until.getTime() - from.getTime()) / 86_400_000);
}

function daysBefore(at: Date, days: number, zone: string | undefined): Date {
  const [year, month, date] = [at.getFullYear(), at.getMonth(), at.getDate() - days];
  return dayIn(zone, { year, month, date });
}
