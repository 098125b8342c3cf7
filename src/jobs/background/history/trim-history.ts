import { addMs, dayMs } from '../../../domain/clock.ts';
import { limits } from '../../../domain/limits.ts';
import { inBatches, type PeriodicJob } from '../../background-job.ts';

export interface TrimDeps {
  /** Removes up to `limit` requests that were applied before; how many. */
  trimRequests(before: Date, limit: number): Promise<number>;
  /** Removes up to `limit` lines of the log of webhook sends, sent before, and answers of then; how many. */
  trimDeliveryTries(before: Date, limit: number): Promise<number>;
  /** Makes the tables in which notes of PSPs' events are kept this month and next, where they are not there. */
  makePspEventMonths(at: Date): Promise<void>;
  /** Drops the oldest of these tables, if all of its notes came before; how many it was. */
  dropPspEventMonth(before: Date): Promise<number>;
  /** Removes up to `limit` notes of PSPs' events that came before and are in none of these tables; how many. */
  trimPspEvents(before: Date, limit: number): Promise<number>;
  /** Removes from cards' histories what no rule counts any more, some from before; whether there is more. */
  trimCardAttempts(before: Date): Promise<boolean>;
}

/** So many in one transaction: short enough that work beside it never waits for it. */
const maxBatchSize = 1_000;

/**
 * Removes what only tells how something came to pass, once it is old, and charges that no network's rule
 * counts any more: payments, attempts, charges, events and deliveries stay, or go into the archive.
 */
export function trimHistory(deps: TrimDeps): PeriodicJob {
  return {
    name: 'trim-history',
    everyMs: dayMs,
    async run(context) {
      const before = addMs(context.at, -limits.historyMs);
      await deps.makePspEventMonths(context.at);
      await inBatches(context, () => deps.dropPspEventMonth(before));
      await inBatches(context, () => deps.trimRequests(before, maxBatchSize));
      await inBatches(context, () => deps.trimDeliveryTries(before, maxBatchSize));
      await inBatches(context, () => deps.trimPspEvents(before, maxBatchSize));
      await inBatches(context, async () => ((await deps.trimCardAttempts(before)) ? 1 : 0));
    },
  };
}
