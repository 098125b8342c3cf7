import { dayMs } from '../../../domain/clock.ts';
import { dayOfHour, localHour } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';

/** Earlier charges of the payer that tell of their money, the newest first: numbers of one charge share a place. */
export interface PastSigns {
  /** How many places are filled. */
  count: number;
  /** Local days. */
  readonly days: Float64Array;
  /** From 0 to 1: what its age leaves of a charge's word. */
  readonly trusts: Float64Array;
  /** 1 for a charge that passed, 0 for one that lacked funds. */
  readonly passed: Uint8Array;
}

/** Older charges tell less: jobs and banks change. */
const trustDays = 240;
/** Those before them are not asked. */
export const maxPastSigns = 24;

/** Reads those that tell of money. */
export function readPastSigns(
  { past, nowMs, failedAtMs, utcOffsetMinutes }: RetryFacts,
  signs: PastSigns,
): void {
  const { days, trusts, passed } = signs;
  let count = 0;
  for (let at = past.length - 1; at >= 0 && count < maxPastSigns; at -= 1) {
    const charge = past[at];
    if (charge === undefined) continue;
    const { atMs, succeeded, lackedFunds } = charge;
    if (atMs >= nowMs || atMs === failedAtMs) continue;
    if (!succeeded && lackedFunds !== true) continue;
    days[count] = dayOfHour(localHour(atMs, utcOffsetMinutes));
    trusts[count] = Math.exp(-(nowMs - atMs) / (trustDays * dayMs));
    passed[count] = succeeded ? 1 : 0;
    count += 1;
  }
  signs.count = count;
}
