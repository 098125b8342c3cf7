import { hourMs } from '../../domain/clock.ts';
import { adviceEffect } from '../../domain/network-rules/mastercard-advice.ts';
import { type Belief, fundsBuckets } from './belief/belief.ts';
import {
  adviceBuckets,
  adviceCodes,
  type BeliefParameters,
  hypothesisCount,
} from './belief/belief-parameters.ts';
import { adviceOf } from './belief/evidence.ts';
import type { HolidayCalendar } from './local-time.ts';
import type { RetryFacts } from './retry-facts.ts';

/**
 * How long the advice that comes with a further decline would hold the next try back: a network's
 * wait is binding, so a try at a poor time costs the good times within the wait as well.
 */
export interface AdvisedWaits {
  /** Each active hypothesis's bucket of days to funds, as seen from an hour. */
  bucketsAt(hour: number): Uint8Array;
  /** By bucket: the chance, from 0 to 1, that a decline allows the next try so many hours after it. */
  overAfter(gapHours: number): Float64Array;
}

const waitHours = adviceCodes.map((code) => {
  const effect = adviceEffect(code);
  return effect.kind === 'wait' ? effect.waitMs / hourMs : 0;
});

export interface AdvisedWaitsInput {
  readonly parameters: BeliefParameters;
  readonly calendar: HolidayCalendar;
  readonly belief: Belief;
  readonly facts: RetryFacts;
}

/** Undefined where no decline of the payment was advised: then none is expected to be. */
export function advisedWaits(input: AdvisedWaitsInput): AdvisedWaits | undefined {
  const { parameters, calendar, belief, facts } = input;
  const share = advisedShare(facts);
  if (share === 0) return undefined;
  const buckets = new Uint8Array(hypothesisCount);
  // Days are weighed against each other: the same gaps come again and again.
  const known = new Map<number, Float64Array>();
  return {
    bucketsAt: (hour) => {
      fundsBuckets(calendar, belief.anchorHour, hour, buckets);
      return Uint8Array.from(belief.active, (hypothesis) => buckets[hypothesis] ?? adviceBuckets);
    },
    overAfter: (gapHours) => {
      const before = known.get(gapHours);
      if (before !== undefined) return before;
      const chances = Float64Array.from(parameters.advice, (list) => {
        const longer = waitHours.map((hours, code) => (hours > gapHours ? (list[code] ?? 0) : 0));
        return 1 - share * longer.reduce((sum, chance) => sum + chance, 0);
      });
      known.set(gapHours, chances);
      return chances;
    },
  };
}

/** How likely the next decline is advised, by those before it; half a decline of each kind is added. */
function advisedShare({ firstDecline, tries }: RetryFacts): number {
  const declines = [firstDecline, ...tries.map(({ decline }) => decline)];
  const advised = declines.filter((decline) => adviceOf(decline) >= 0).length;
  return advised === 0 ? 0 : (advised + 0.5) / (declines.length + 1);
}
