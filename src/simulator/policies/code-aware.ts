import { hourOfDay } from '../../policy/learned/local-time.ts';
import { buildCalendar, type Calendar, weekday } from '../calendar.ts';
import type { Observed, SimulatedPolicy } from '../observed.ts';
import { gatedPolicy, nextDay } from './simple-policies.ts';

const yearDays = 366;
/** Ten in the morning: banks are awake and the day's pay has come. */
const goodHour = 10;

/**
 * Rules by hand: a technical decline is tried again after an hour, then daily; an advised wait is
 * taken at its word; all else goes to the next Friday, 1st or 15th, at ten in the morning.
 */
export function codeAwarePolicy(maxAttempts: number): SimulatedPolicy {
  const calendar = buildCalendar(0, 2 * yearDays);
  return gatedPolicy('code_aware', maxAttempts, (observed) => wantedHour(calendar, observed));
}

function wantedHour(calendar: Calendar, observed: Observed): number {
  const last = observed.tries.at(-1);
  const decline = last?.decline ?? observed.firstDecline;
  const at = last?.hour ?? observed.failedHour;
  if (decline.category === 'technical') return at + (observed.tries.length === 0 ? 1 : 24);
  if (decline.waitMs !== undefined) return at;
  const morning = at - hourOfDay(at) + goodHour;
  return nextDay(morning, (day) => {
    const date = calendar.dayOfMonth(day);
    return weekday(day) === 5 || date === 1 || date === 15;
  });
}
