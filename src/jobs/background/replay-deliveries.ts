import { invariant } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { inBatches, type OnDemandJob } from '../background-job.ts';

export const replayJobName = 'replay-deliveries';

export interface ReplayRequest {
  readonly merchantId: string;
  readonly replayId: string;
}

export interface ReplayDeps {
  /** Queues some deliveries of the merchant's replays as due at `at`. */
  step(input: {
    readonly merchantId: string;
    readonly at: Date;
  }): Promise<{ readonly queued: number; readonly isOver: boolean }>;
  /** Says that deliveries are due now. */
  wakeDeliveries(): void;
}

/**
 * Queues what a merchant's replays ask for, in batches. How far each is stands in the database, so a
 * run that goes on after a crash finds only the rest; and one run takes all of the merchant's, also
 * one whose own run was never asked for.
 */
export function replayDeliveries(deps: ReplayDeps): OnDemandJob {
  return {
    name: replayJobName,
    onDemand: true,
    async run({ merchantId }, context) {
      invariant(typeof merchantId === 'string', 'a replay names its merchant');
      await inBatches(context, async () => {
        const { queued, isOver } = await deps.step({ merchantId, at: context.at });
        if (queued > 0) deps.wakeDeliveries();
        return isOver ? 0 : Math.max(1, queued);
      });
    },
  };
}

/** What to ask the job queue for. */
export function replayRequest(input: ReplayRequest): { input: JsonObject; key: string } {
  return { input: { merchantId: input.merchantId }, key: input.replayId };
}
