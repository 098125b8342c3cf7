import { hourMs } from '../../domain/clock.ts';
import type { RecurrentDuty } from '../duty.ts';

/** Four times a day: a drift shows after some hundred tries, and costs money until then. */
const everyMs = 6 * hourMs;

/** Looks whether the models in use still foretell what happens. */
export function watchModelsDuty(deps: { watch(at: Date): Promise<void> }): RecurrentDuty {
  return {
    name: 'watch-models',
    everyMs,
    async run({ at }) {
      await deps.watch(at);
    },
  };
}
