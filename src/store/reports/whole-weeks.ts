import { dayMs } from '../../domain/clock.ts';
import { inWhole, type TimeInSteps } from './in-whole.ts';

/** A Monday, 00:00 UTC. */
const mondayMs = Date.UTC(1970, 0, 5);

/** Divides a time into whole weeks, for which there are sums, and the rest at its two ends. */
export function inWeeks(since: Date | undefined, until: Date | undefined): TimeInSteps {
  return inWhole({ lengthMs: 7 * dayMs, beginMs: mondayMs }, { from: since, to: until });
}

/** A week's first day as the database takes it. The one after the last that may be asked for is of the year 10000. */
export function weekText(week: Date): string {
  return week.getUTCFullYear() > 9999 ? 'infinity' : week.toISOString().slice(0, 10);
}
