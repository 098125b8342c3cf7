import { minuteMs } from '../../domain/clock.ts';
import type { PeriodicJob } from '../background-job.ts';

/** Writes to customers whose payments wait for them, of merchants that switched it on. */
export function sendMessages(deps: {
  /** How many messages were sent, or tried. */
  send(signal: AbortSignal): Promise<number>;
}): PeriodicJob {
  return {
    name: 'send-messages',
    everyMs: 5 * minuteMs,
    async run(context) {
      context.progress(await deps.send(context.signal));
    },
  };
}
