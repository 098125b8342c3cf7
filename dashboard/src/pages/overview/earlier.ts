import type { CurrencyOverviewJson, OverviewJson } from '../../api/generated/overview.ts';
import type { Span } from '../../state/comparison.ts';

/** The figures of the time that is compared with, of one currency. */
export interface Earlier {
  /** Absent: no payment of the currency came in, and none was recovered. */
  readonly of?: CurrencyOverviewJson;
  /** From a moment of it to the one that stands beside it, in milliseconds. */
  readonly shiftMs: number;
}

/** Undefined where nothing is compared, or it is not read yet. */
export function earlierOf(
  currency: string,
  {
    overview,
    from,
    span,
  }: {
    readonly overview: OverviewJson | undefined;
    /** When the time itself begins. */
    readonly from: string | undefined;
    readonly span: Span | undefined;
  },
): Earlier | undefined {
  if (overview === undefined || from === undefined || span === undefined) return undefined;
  const shiftMs = new Date(from).getTime() - span.from.getTime();
  const of = overview.currencies.find((each) => each.currency === currency);
  return { shiftMs, ...(of !== undefined && { of }) };
}
