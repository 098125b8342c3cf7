import { addMs, dayMs } from '../domain/clock.ts';
import type { PolicySettings } from '../domain/merchant.ts';

/** Raised when a schedule's times change for the same settings. */
export const fixedVersion = '1';

/**
 * Every time of a fixed schedule, rising. `fixed`: so many whole days after the failure. `even`: the
 * window cut into as many equal parts as there are tries, one at the end of each.
 */
export function scheduleTimes(
  settings: PolicySettings,
  failedAt: Date,
  windowEndsAt: Date,
): readonly Date[] {
  switch (settings.kind) {
    case 'fixed':
    // Of the learned policy's merchants, where nothing better is known.
    case 'learned':
      return settings.fixedDays.map((days) => addMs(failedAt, days * dayMs));
    case 'even': {
      const windowMs = windowEndsAt.getTime() - failedAt.getTime();
      return Array.from({ length: settings.maxAttempts }, (_, index) =>
        addMs(failedAt, Math.floor((windowMs * (index + 1)) / settings.maxAttempts)),
      );
    }
  }
}

/**
 * The schedule's next time: the first one after the last try. Times that passed while nothing could
 * be tried are made up for by one try at once, never by several.
 */
export function nextScheduled(
  times: readonly Date[],
  lastTryAt: Date | undefined,
): Date | undefined {
  if (lastTryAt === undefined) return times[0];
  return times.find((time) => time.getTime() > lastTryAt.getTime());
}
