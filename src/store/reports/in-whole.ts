import { addMs } from '../../domain/clock.ts';

/** The times of a query in whole steps, such as days, for which there are sums, and the rest. */
export interface TimeInSteps {
  /** Whole steps begin at the first of these or later, and before the second; undefined: no bound. */
  readonly whole: readonly [from: Date | undefined, to: Date | undefined];
  /** What lies before and after them: each from the first time on, and before the second. */
  readonly edges: readonly (readonly [from: Date, to: Date])[];
}

/** Divides a time into whole steps, one of which begins at `beginMs`, and the rest at its two ends. */
export function inWhole(
  step: { readonly lengthMs: number; readonly beginMs?: number },
  { from: since, to: until }: { readonly from?: Date | undefined; readonly to?: Date | undefined },
): TimeInSteps {
  const { lengthMs, beginMs = 0 } = step;
  const floor = (at: Date): Date =>
    new Date(beginMs + Math.floor((at.getTime() - beginMs) / lengthMs) * lengthMs);
  const from = since && floor(addMs(since, lengthMs - 1));
  const to = until && floor(until);
  const edges: (readonly [Date, Date])[] = [];
  const least = (a: Date, b: Date | undefined) => (b !== undefined && b < a ? b : a);
  if (since !== undefined && from !== undefined) edges.push([since, least(from, until)]);
  if (until !== undefined && to !== undefined) {
    const begin = from === undefined ? to : least(from, until);
    edges.push([begin > to ? begin : to, until]);
  }
  return { whole: [from, to], edges: edges.filter(([begin, end]) => begin < end) };
}
