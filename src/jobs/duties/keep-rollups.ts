import { hourMs } from '../../domain/clock.ts';
import { inBatches, type RecurrentDuty } from '../duty.ts';

export interface KeepRollupsDeps {
  /** Counts up to `limit` payments that changed; how many, 0 when all are counted. */
  rollUpPayments(input: { at: Date; limit: number }): Promise<number>;
  /** Counts up to `limit` charges that settled; how many, 0 when all are counted. */
  rollUpCharges(input: { at: Date; limit: number }): Promise<number>;
  /** Removes sums that nothing belongs to any more. */
  sweep(): Promise<void>;
}

/** As often as the other rare duties. Whoever opens the dashboard has the rest counted at once. */
const everyMs = 6 * hourMs;

/** Rows that are counted in one transaction: some tenths of a second of work. */
export const rollupBatch = 5_000;

/** Keeps the sums that the dashboard shows. */
export function keepRollups(deps: KeepRollupsDeps): RecurrentDuty {
  return {
    name: 'keep-rollups',
    everyMs,
    async run(context) {
      const step = { at: context.at, limit: rollupBatch };
      await inBatches(context, () => deps.rollUpPayments(step));
      await inBatches(context, () => deps.rollUpCharges(step));
      await deps.sweep();
    },
  };
}
