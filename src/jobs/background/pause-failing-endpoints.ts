import { hourMs } from '../../domain/clock.ts';
import type { PeriodicJob } from '../background-job.ts';

/** Days of failures make it pause, so an hour more or less is nothing. */
const everyMs = hourMs;

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
