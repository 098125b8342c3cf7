import { addMs, dayMs, hourMs, minuteMs } from '../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface MatchDisputesDeps {
  /** Looks again at up to `limit` disputes that may have a better match by now; how many. */
  matchAgain(input: {
    at: Date;
    lookedBefore: Date;
    openedAfter: Date;
    limit: number;
  }): Promise<number>;
}

/** An analytics record or a payment that comes after its dispute is matched within so long. */
const everyMs = 5 * minuteMs;
/** What has no id in common comes to light by the customer or the address: looked for so often. */
const wholeRoundMs = 6 * hourMs;
/**
 * No network's deadline is farther away: Mastercard's 45 days, and as much again in arbitration.
 */
const lookedForMs = 120 * dayMs;
/** Each takes some milliseconds, so that a job that has to end waits a second at most. */
const batch = 100;

/** Matches disputes again for analytics records and payments that came after them. */
export function matchDisputes(deps: MatchDisputesDeps): PeriodicJob {
  return {
    name: 'match-disputes',
    everyMs,
    async run(context) {
      const lookedBefore = addMs(context.at, -wholeRoundMs);
      const openedAfter = addMs(context.at, -lookedForMs);
      await inBatches(context, () =>
        deps.matchAgain({ at: context.at, lookedBefore, openedAfter, limit: batch }),
      );
    },
  };
}
