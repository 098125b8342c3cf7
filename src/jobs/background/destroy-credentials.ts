import { addMs, minuteMs } from '../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface DestroyCredentialsDeps {
  /** Destroys up to `limit` accounts' credentials; how many there were. */
  destroy(input: { retiredBefore: Date; at: Date; limit: number }): Promise<number>;
}

const everyMs = 10 * minuteMs;
/**
 * A process that has not heard yet that an account was replaced may begin a charge through it: far
 * longer than its memory of credentials and a charge's whole call together.
 */
const graceMs = 15 * minuteMs;
const batch = 100;

/** Destroys the credentials of replaced and removed accounts once nothing of them is open. */
export function destroyCredentials(deps: DestroyCredentialsDeps): PeriodicJob {
  return {
    name: 'destroy-credentials',
    everyMs,
    async run(context) {
      const { at } = context;
      const retiredBefore = addMs(at, -graceMs);
      await inBatches(context, () => deps.destroy({ retiredBefore, at, limit: batch }));
    },
  };
}
