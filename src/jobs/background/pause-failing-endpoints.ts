import { hourMs } from '../../domain/clock.ts';
import type { PeriodicJob } from '../background-job.ts';

/**
 * Days of failures make it pause, so hours more or less are nothing; and at the hours of other jobs moved
 * time does not stop for it.
 */
const everyMs = 6 * hourMs;

/** Pauses the endpoints that took nothing for as long as each allows. */
export function pauseFailingEndpoints(deps: { pause(at: Date): Promise<void> }): PeriodicJob {
  return {
    name: 'pause-failing-endpoints',
    everyMs,
    async run({ at }) {
      await deps.pause(at);
    },
  };
}
