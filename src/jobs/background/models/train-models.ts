import { invariant } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/payment.ts';
import type { JobContext, OnDemandJob, PeriodicJob } from '../../background-job.ts';

export const trainModelJobName = 'train-model';

export interface TrainRun {
  readonly merchantId: string;
  readonly signal: AbortSignal;
  progress(tries: number): void;
}

/** Every night: payers' habits change over weeks, and a day brings the tries that show it. */
export function trainModelsJob(deps: {
  readonly everyMs: number;
  /** Whose models are trained; none where no merchant has the learned policy. */
  scopes(): Promise<readonly string[]>;
  ensureShipped(at: Date): Promise<void>;
  train(run: TrainRun): Promise<void>;
}): PeriodicJob {
  return {
    name: 'train-models',
    everyMs: deps.everyMs,
    async run(context) {
      const scopes = await deps.scopes();
      if (scopes.length > 0) await deps.ensureShipped(context.at);
      for (const merchantId of scopes) await deps.train(runOf(context, merchantId));
    },
  };
}

/** One scope, when it is asked for. */
export function trainModelJob(deps: {
  ensureShipped(at: Date): Promise<void>;
  train(run: TrainRun): Promise<void>;
}): OnDemandJob {
  return {
    name: trainModelJobName,
    onDemand: true,
    async run({ merchantId }, context) {
      invariant(typeof merchantId === 'string', 'a training names its scope');
      // What it trains may be promoted at once: the model before it has to be there to go back to.
      await deps.ensureShipped(context.at);
      await deps.train(runOf(context, merchantId));
    },
  };
}

/** What to ask the job queue for. The same scope twice is one run. */
export function trainingRequest(merchantId: string): { input: JsonObject; key: string } {
  return { input: { merchantId }, key: merchantId };
}

function runOf({ signal, progress }: JobContext, merchantId: string): TrainRun {
  return { merchantId, signal, progress };
}
