import { minuteMs, secondMs } from '../../domain/clock.ts';
import type { PeriodicJob } from '../background-job.ts';

const everyMs = minuteMs;
/** Less than a minute: a run that begins a moment early looks all the same. */
const intervalMs = everyMs - 10 * secondMs;

/** Looks for what a person should know, and sends what is due to whom it concerns. */
export function watchAlerts(deps: {
  watch(input: { readonly intervalMs: number }): Promise<unknown>;
}): PeriodicJob {
  return {
    name: 'watch-alerts',
    everyMs,
    async run() {
      await deps.watch({ intervalMs });
    },
  };
}
