import { dayMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface TellExpiringCardsDeps<Place> {
  /** Tells one page of the cards that end before their subscription is billed again. */
  tell(input: { at: Date; after?: Place; limit: number }): Promise<{
    readonly told: number;
    readonly next?: Place;
  }>;
  /** Ends the notices of renewals that passed without a report; how many. */
  endPassed(input: { at: Date; limit: number }): Promise<number>;
}

/** So many in one transaction: short enough that work beside it never waits for it. */
const batch = 500;

/** Tells merchants that ask for it which cards are about to expire, each once. */
export function tellExpiringCards<Place>(deps: TellExpiringCardsDeps<Place>): PeriodicJob {
  return {
    name: 'tell-expiring-cards',
    everyMs: dayMs,
    async run(context) {
      const { at } = context;
      const ended = await inBatches(context, () => deps.endPassed({ at, limit: batch }));
      let done = ended;
      let after: Place | undefined;
      do {
        context.signal.throwIfAborted();
        const page = await deps.tell({ at, limit: batch, ...present({ after }) });
        done += page.told;
        context.progress(done);
        after = page.next;
      } while (after !== undefined);
    },
  };
}
