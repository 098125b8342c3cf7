import { Worker } from 'node:worker_threads';
import { dayMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import type { Trained, Trainer } from '../../recovery/learned/model-ports.ts';
import { askThread } from './ask-thread.ts';

export type TrainerCall =
  | { readonly kind: 'rows'; readonly rows: readonly TrainingRow[] }
  | {
      readonly kind: 'train';
      readonly version: string;
      /** Dates such as 2027-07-05. */
      readonly holidays: readonly string[];
      readonly present: PolicyModel;
    };

/** Of the training thread alone: what 400,000 tries need, and twice that. */
const maxHeapMb = 2_048;

/**
 * Trains in a thread of its own: minutes of arithmetic must not hold up retries. A call waits for its
 * answer, so no more than one batch of rows is on its way.
 */
export function startTrainer(): Trainer {
  const worker = new Worker(new URL('./training-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const ask = askThread<TrainerCall, Trained | undefined>(worker);
  return {
    async add(rows) {
      await ask({ kind: 'rows', rows });
    },
    async train({ version, calendar, present }) {
      const holidays = [...calendar.holidays].map((day) =>
        new Date(day * dayMs).toISOString().slice(0, 10),
      );
      const trained = await ask({ kind: 'train', version, holidays, present });
      invariant(trained !== undefined, 'a training ends with a model');
      return trained;
    },
    async close() {
      await worker.terminate();
    },
  };
}
