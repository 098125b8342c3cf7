import { minuteMs } from '../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface ResolveSubmissionsDeps {
  /** Resolves up to `limit` submissions whose look-up is due; how many there were. */
  resolveDue(input: { at: Date; limit: number }): Promise<number>;
}

const everyMs = minuteMs;
/** Each waits for a PSP: as many as one of them answers within some seconds. */
const batch = 20;

/** Reads at the PSPs what became of answers to disputes whose sending was lost or cut off. */
export function resolveSubmissions(deps: ResolveSubmissionsDeps): PeriodicJob {
  return {
    name: 'settle-submissions',
    everyMs,
    async run(context) {
      await inBatches(context, () => deps.resolveDue({ at: context.at, limit: batch }));
    },
  };
}
