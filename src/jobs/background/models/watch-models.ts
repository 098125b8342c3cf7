import { hourMs } from '../../../domain/clock.ts';
import type { PeriodicJob } from '../../background-job.ts';

/** Four times a day: a drift shows after some hundred tries, and costs money until then. */
const everyMs = 6 * hourMs;

/** Looks whether the models in use still predict what happens. */
export function watchModelsJob(deps: { watch(at: Date): Promise<void> }): PeriodicJob {
  return {
    name: 'watch-models',
    everyMs,
    async run({ at }) {
      await deps.watch(at);
    },
  };
}
