import { invariant } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { inBatches, type OnDemandJob } from '../background-job.ts';

export const replayJobName = 'replay-exhausted';

export interface ReplayInput {
  readonly merchantId: string;
  /** Deliveries created since then. */
  readonly since: Date;
}

export interface ReplayDeps {
  /** Queues some exhausted deliveries anew at `at`, as due then; how many, 0 when none is left. */
  replay(input: ReplayInput & { readonly at: Date }): Promise<number>;
  /** Says that deliveries are due now. */
  wakeDeliveries(): void;
}

/**
 * Sends again what a merchant's server did not take for seven days, in batches. What was queued is
 * no longer exhausted, so a run that goes on after a crash finds only the rest.
 */
export function replayExhausted(deps: ReplayDeps): OnDemandJob {
  return {
    name: replayJobName,
    onDemand: true,
    async run(input, context) {
      const wanted = { ...readInput(input), at: context.at };
      await inBatches(context, async () => {
        const count = await deps.replay(wanted);
        if (count > 0) deps.wakeDeliveries();
        return count;
      });
    },
  };
}

/** What to ask the job queue for. The same key twice is one run. */
export function replayRequest(input: ReplayInput): { input: JsonObject; key: string } {
  const since = input.since.toISOString();
  return { input: { merchantId: input.merchantId, since }, key: `${input.merchantId}/${since}` };
}

function readInput({ merchantId, since }: JsonObject): ReplayInput {
  invariant(
    typeof merchantId === 'string' && typeof since === 'string',
    'a replay names its scope',
  );
  return { merchantId, since: new Date(since) };
}
