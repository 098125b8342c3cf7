import { dayMs } from '../../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../../background-job.ts';

export interface PurgeDeps {
  /** Removes up to `limit` keys that have expired by `at`; how many. */
  purge(at: Date, limit: number): Promise<number>;
}

/** So many in one transaction: short enough that requests beside it never wait for it. */
const maxBatchSize = 1_000;

/**
 * Removes idempotency keys that have expired. An expired key is never replayed, so this only frees
 * space: once a day keeps at most two days of keys.
 */
export function purgeIdempotencyKeys(deps: PurgeDeps): PeriodicJob {
  return {
    name: 'purge-idempotency-keys',
    everyMs: dayMs,
    async run(context) {
      await inBatches(context, () => deps.purge(context.at, maxBatchSize));
    },
  };
}
