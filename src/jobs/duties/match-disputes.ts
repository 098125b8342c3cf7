import { addMs, dayMs, hourMs } from '../../domain/clock.ts';
import { inBatches, type RecurrentDuty } from '../duty.ts';

export interface MatchDisputesDeps {
  /** Looks again at up to `limit` disputes without a match; how many there were. */
  matchAgain(input: { lookedBefore: Date; openedAfter: Date; limit: number }): Promise<number>;
}

/** Captures come with the checkout; one that comes late is most often late by minutes. */
const everyMs = 6 * hourMs;
/** No network's deadline is farther away: Mastercard's 45 days, and as much again in arbitration. */
const lookedForMs = 120 * dayMs;
/** Each takes some milliseconds, so that a duty that has to end waits a second at most. */
const batch = 100;

/** Matches disputes again for captures that came after them. */
export function matchDisputes(deps: MatchDisputesDeps): RecurrentDuty {
  return {
    name: 'match-disputes',
    everyMs,
    async run(context) {
      const openedAfter = addMs(context.at, -lookedForMs);
      await inBatches(context, () =>
        deps.matchAgain({ lookedBefore: context.at, openedAfter, limit: batch }),
      );
    },
  };
}
