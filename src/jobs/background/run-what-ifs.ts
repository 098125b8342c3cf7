import { invariant } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { OnDemandJob } from '../background-job.ts';

export const whatIfJobName = 'what-if';

export interface WhatIfJob {
  readonly whatIfId: string;
  readonly signal: AbortSignal;
  progress(charges: number): void;
}

/** A back-test on a merchant's own charges, when it is asked for. */
export function runWhatIfs(deps: { run(job: WhatIfJob): Promise<void> }): OnDemandJob {
  return {
    name: whatIfJobName,
    onDemand: true,
    async run({ whatIfId }, { signal, progress }) {
      invariant(typeof whatIfId === 'string', 'a what-if is named by its id');
      await deps.run({ whatIfId, signal, progress });
    },
  };
}

/** What to ask the job queue for. The same request twice is one run; asked anew it is another one. */
export function whatIfRequest(input: { readonly whatIfId: string; readonly requestedAt: Date }): {
  input: JsonObject;
  key: string;
} {
  const { whatIfId, requestedAt } = input;
  return { input: { whatIfId }, key: `${whatIfId}/${requestedAt.toISOString()}` };
}
