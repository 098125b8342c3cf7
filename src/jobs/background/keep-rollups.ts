import { hourMs, minuteMs } from '../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface KeepRollupsDeps {
  /** Counts up to `limit` payments that changed; how many, 0 when all are counted. */
  rollUpPayments(input: { at: Date; limit: number }): Promise<number>;
  /** Counts up to `limit` payments, or disputes, for the uplift report; how many, 0 when all are counted. */
  rollUpUplift(input: { at: Date; limit: number }): Promise<number>;
  /** Counts up to `limit` charges whose outcome is known; how many, 0 when all are counted. */
  rollUpCharges(input: { at: Date; limit: number }): Promise<number>;
  /** Counts the cards near a network's limit, where the last count is older than `oldestMs`. */
  countCardLimits(input: { at: Date; oldestMs: number }): Promise<void>;
  /** Counts the charges of this month and the one before, where the last count is older than `oldestMs`. */
  countSettled(input: { at: Date; oldestMs: number }): Promise<void>;
  /** Removes sums that nothing belongs to any more. */
  sweep(): Promise<void>;
}

/** As often as the other rare jobs. Whoever opens the dashboard has the rest counted at once. */
const everyMs = 6 * hourMs;

/** Rows that are counted in one transaction: some tenths of a second of work. */
export const rollupBatch = 5_000;

/**
 * Cards near a limit are counted over all charges of 30 days. They come there in days, so whoever
 * looks has them counted no more often than this.
 */
export const cardLimitsOldestMs = 10 * minuteMs;

/** They are counted over two months, by whoever looks at the networks' ratios, no more often than this. */
export const settledOldestMs = 10 * minuteMs;

/** Keeps the sums that the dashboard shows. */
export function keepRollups(deps: KeepRollupsDeps): PeriodicJob {
  return {
    name: 'keep-rollups',
    everyMs,
    async run(context) {
      const step = { at: context.at, limit: rollupBatch };
      await inBatches(context, () => deps.rollUpPayments(step));
      await inBatches(context, () => deps.rollUpUplift(step));
      await inBatches(context, () => deps.rollUpCharges(step));
      await deps.sweep();
      await deps.countCardLimits({ at: context.at, oldestMs: cardLimitsOldestMs });
      await deps.countSettled({ at: context.at, oldestMs: settledOldestMs });
    },
  };
}
