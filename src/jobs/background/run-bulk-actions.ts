import { invariant } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { inBatches, type OnDemandJob } from '../background-job.ts';

export const bulkJobName = 'run-bulk-actions';

export interface BulkRequest {
  readonly merchantId: string;
  readonly bulkId: string;
}

export interface BulkJobDeps {
  /** Does the next payments of the merchant's bulk actions; 0 where none runs. */
  step(input: { readonly merchantId: string; readonly at: Date }): Promise<number>;
}

/**
 * Does what a merchant's bulk actions ask for, in batches. How far each is stands in the database, so a run
 * that goes on after a crash finds only the rest, and one run takes all of the merchant's.
 */
export function runBulkActions(deps: BulkJobDeps): OnDemandJob {
  return {
    name: bulkJobName,
    onDemand: true,
    async run({ merchantId }, context) {
      invariant(typeof merchantId === 'string', 'a bulk action names its merchant');
      await inBatches(context, () => deps.step({ merchantId, at: context.at }));
    },
  };
}

/** What to ask the job queue for. */
export function bulkRequest(input: BulkRequest): { input: JsonObject; key: string } {
  return { input: { merchantId: input.merchantId }, key: input.bulkId };
}
