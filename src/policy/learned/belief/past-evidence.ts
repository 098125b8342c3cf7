import { dayMs } from '../../../domain/clock.ts';
import { dayOfHour, type HolidayCalendar, localHour } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';
import { hypothesisCount } from './belief-parameters.ts';
import { cycleCount, cycleDay } from './pay-cycles.ts';

/** Older charges tell less: jobs and banks change. */
const trustDays = 240;
const pastMost = 24;
/** How likely a charge succeeds in general, for hypotheses that know no paydays. */
const usualSuccess = 0.8;
/** What is left of a chance where a hypothesis speaks against what happened. */
const floor = 0.1;

/**
 * What the payer's own earlier charges say of his paydays: a success at a time at which a rhythm has
 * him dry speaks against it, a lack of funds just after its payday too.
 */
export function weighPast(
  calendar: HolidayCalendar,
  facts: RetryFacts,
  weights: Float64Array,
): void {
  const known = facts.past.filter(
    ({ atMs, succeeded, lackedFunds }) =>
      atMs < facts.nowMs && atMs !== facts.failedAtMs && (succeeded || lackedFunds === true),
  );
  for (const { atMs, succeeded } of known.slice(-pastMost)) {
    const trust = Math.exp(-(facts.nowMs - atMs) / (trustDays * dayMs));
    const day = dayOfHour(localHour(atMs, facts.utcOffsetMinutes));
    const { funded } = cycleDay(calendar, day);
    for (let at = 0; at < cycleCount; at += 1) {
      const can = funded[at] ?? 0;
      const chance = floor + (1 - floor) * (succeeded ? can : 1 - can);
      weights[at] = (weights[at] ?? 0) * chance ** trust;
    }
    const usual = (succeeded ? usualSuccess : 1 - usualSuccess) ** trust;
    for (let at = cycleCount; at < hypothesisCount; at += 1) {
      weights[at] = (weights[at] ?? 0) * usual;
    }
  }
}
