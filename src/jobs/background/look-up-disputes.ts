import { minuteMs } from '../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface LookUpDisputesDeps {
  /** Looks up to `limit` disputes up whose look-up is due; how many there were. */
  lookUpDue(input: { at: Date; limit: number }): Promise<number>;
}

const everyMs = minuteMs;
/** Each waits for a PSP: as many as one of them answers within some seconds. */
const batch = 20;

/** Reads at the PSPs what disputes lack whose look-up failed, or was cut off by a crash. */
export function lookUpDisputes(deps: LookUpDisputesDeps): PeriodicJob {
  return {
    name: 'look-up-disputes',
    everyMs,
    async run(context) {
      await inBatches(context, () => deps.lookUpDue({ at: context.at, limit: batch }));
    },
  };
}
