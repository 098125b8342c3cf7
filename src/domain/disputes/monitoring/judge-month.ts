import { addMs, dayMs } from '../../clock.ts';
import { present } from '../../present.ts';
import { type Programme, type ProgrammeLimits, programmes } from './programmes.ts';

/** What is known of one merchant's charges and disputes on one network. */
export interface NetworkCounts {
  /** Charges that succeeded in the month, and in the month before. */
  readonly settled: number;
  readonly settledBefore: number;
  readonly fraudReports: number;
  /** Disputes whose chargeback began in the month; inquiries and what was prevented are none. */
  readonly disputes: number;
}

/** A month of UTC, from its first instant until that of the next one. */
export interface Month {
  readonly from: Date;
  readonly until: Date;
}

export interface ProgrammeVerdict {
  readonly programme: Programme['id'];
  readonly limits: ProgrammeLimits;
  /** What the network counts. */
  readonly items: number;
  /** The denominator of the ratio. */
  readonly outOf: number;
  /** In hundredths of a percent, to two decimals; undefined where there is nothing to divide by. */
  readonly ratioBps?: number;
  readonly isExcessive: boolean;
  /**
   * In how many days both limits are reached at the month's pace so far: 0 where they are. Undefined
   * where that would be after the month's end, which begins the count anew.
   */
  readonly daysToBreach?: number;
}

/** What each programme would say of a month; those that were not in force are left out. */
export function judgeMonth(
  counts: Readonly<Record<Programme['network'], NetworkCounts>>,
  month: Month,
  now: Date,
): readonly ProgrammeVerdict[] {
  return programmes.flatMap((programme) => {
    const limits = programme.limits.find((item) => isInForce(item, month.from));
    if (limits === undefined) return [];
    return [judge(programme, limits, counts[programme.network], month, now)];
  });
}

function isInForce({ from, until }: ProgrammeLimits, at: Date): boolean {
  const begun = from === undefined || at.getTime() >= Date.parse(from);
  return begun && (until === undefined || at.getTime() < Date.parse(until));
}

function judge(
  programme: Programme,
  limits: ProgrammeLimits,
  counts: NetworkCounts,
  month: Month,
  now: Date,
): ProgrammeVerdict {
  const items = counts.disputes + (programme.countsFraudReports ? counts.fraudReports : 0);
  const isSameMonth = programme.denominator === 'same_month';
  const outOf = isSameMonth ? counts.settled : counts.settledBefore;
  const isExcessive = items >= neededItems(limits, outOf) && outOf > 0;
  const daysToBreach = isExcessive
    ? 0
    : daysAhead({ items, outOf, limits, isSameMonth, month, now });
  return {
    programme: programme.id,
    limits,
    items,
    outOf,
    isExcessive,
    ...(outOf > 0 && { ratioBps: Math.round((items * 1_000_000) / outOf) / 100 }),
    ...present({ daysToBreach }),
  };
}

/** The least number of items with which both limits are reached. Exact: no division is rounded. */
function neededItems({ minItems, minRatioBps }: ProgrammeLimits, outOf: number): number {
  return Math.max(minItems, Math.ceil((minRatioBps * outOf) / 10_000));
}

function daysAhead(input: {
  readonly items: number;
  readonly outOf: number;
  readonly limits: ProgrammeLimits;
  readonly isSameMonth: boolean;
  readonly month: Month;
  readonly now: Date;
}): number | undefined {
  const { items, outOf, limits, isSameMonth, month, now } = input;
  const isRunning = now.getTime() > month.from.getTime() && now.getTime() < month.until.getTime();
  if (!isRunning || items === 0 || outOf === 0) return undefined;
  // Both grow alike where they are of one month: the ratio stays, and the items alone rise.
  const stays = items * 10_000 >= limits.minRatioBps * outOf;
  if (isSameMonth && !stays) return undefined;
  const needed = isSameMonth ? limits.minItems : neededItems(limits, outOf);
  const elapsedDays = (now.getTime() - month.from.getTime()) / dayMs;
  const days = Math.ceil(((needed - items) * elapsedDays) / items);
  return addMs(now, days * dayMs).getTime() < month.until.getTime() ? days : undefined;
}

/** `2026-06` as a month of UTC; undefined for any other text. */
export function monthOf(text: string): Month | undefined {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return undefined;
  const [year = 0, month = 0] = text.split('-').map(Number);
  return { from: new Date(Date.UTC(year, month - 1)), until: new Date(Date.UTC(year, month)) };
}
