import { type Range, spanOf } from './range.ts';

/** What the figures of a time stand beside. */
export const comparisons = ['before', 'year', 'none'] as const;
export type Comparison = (typeof comparisons)[number];

/** From when, and before when. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

const minuteMs = 60_000;
const form = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});

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
  const from = new Date(first);
  const until = last === undefined ? minuteOf(now) : new Date(last);
  if (comparison === 'year') return { from: shifted(from, -12), until: shifted(until, -12) };
  const months = monthsBetween(from, until);
  if (months !== undefined) return { from: shifted(from, -months), until: from };
  return typeof range === 'string'
    ? { from: new Date(from.getTime() - (until.getTime() - from.getTime())), until: from }
    : { from: daysBefore(from, daysBetween(from, until)), until: from };
}

/** A span in words, its last day included. */
export function spanLabel({ from, until }: Span): string {
  return form.formatRange(from, new Date(until.getTime() - 1));
}

function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);
}

/** The same day and time of another month; the last day of a shorter one. */
function shifted(at: Date, months: number): Date {
  const moved = new Date(at);
  moved.setDate(1);
  moved.setMonth(moved.getMonth() + months);
  const days = new Date(moved.getFullYear(), moved.getMonth() + 1, 0).getDate();
  moved.setDate(Math.min(at.getDate(), days));
  return moved;
}

/** How many calendar months of the viewer's zone it is, where both ends are the first of one. */
function monthsBetween(from: Date, until: Date): number | undefined {
  if (!isMonthStart(from) || !isMonthStart(until)) return undefined;
  return (until.getFullYear() - from.getFullYear()) * 12 + until.getMonth() - from.getMonth();
}

function isMonthStart(at: Date): boolean {
  return at.getTime() === new Date(at.getFullYear(), at.getMonth(), 1).getTime();
}

/** Calendar days: one that the clocks make shorter is one too. */
function daysBetween(from: Date, until: Date): number {
  return Math.round((until.getTime() - from.getTime()) / 86_400_000);
}

function daysBefore(at: Date, days: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - days);
}
