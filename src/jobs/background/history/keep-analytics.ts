import { type AnalyticsRetention, monthsBefore } from '../../../domain/analytics/retention.ts';
import { addMs, dayMs } from '../../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../../background-job.ts';

export interface KeepAnalyticsDeps {
  readonly retention: AnalyticsRetention;
  /** Archives up to `limit` analytics records that came before; how many. */
  archive(before: Date, limit: number): Promise<number>;
  /** Removes up to `limit` analytics records that came before and that nothing holds; how many. */
  remove(before: Date, limit: number): Promise<number>;
  /** Removes up to `limit` pieces that persons added to disputes which ended before; how many. */
  removeAdded(before: Date, limit: number): Promise<number>;
  /** Removes up to `limit` files that began to come before and never came whole; how many. */
  removeUnfinished(before: Date, limit: number): Promise<number>;
}

/** So many in one transaction: short enough that work beside it never waits for it. */
const maxBatchSize = 1_000;

/** Moves analytics records through their lives: active, archived, gone. */
export function keepAnalytics(deps: KeepAnalyticsDeps): PeriodicJob {
  return {
    name: 'keep-analytics',
    everyMs: dayMs,
    async run(context) {
      const { activeMonths, keptMonths } = deps.retention;
      const removeBefore = monthsBefore(context.at, keptMonths);
      await inBatches(context, () => deps.remove(removeBefore, maxBatchSize));
      await inBatches(context, () => deps.removeAdded(removeBefore, maxBatchSize));
      const cutOffBefore = addMs(context.at, -dayMs);
      await inBatches(context, () => deps.removeUnfinished(cutOffBefore, maxBatchSize));
      const archiveBefore = monthsBefore(context.at, activeMonths);
      await inBatches(context, () => deps.archive(archiveBefore, maxBatchSize));
    },
  };
}
