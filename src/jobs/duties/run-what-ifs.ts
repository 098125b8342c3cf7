import { invariant } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { OnDemandDuty } from '../duty.ts';

export const whatIfDutyName = 'what-if';

export interface WhatIfJob {
  readonly whatIfId: string;
  readonly signal: AbortSignal;
  progress(charges: number): void;
}

/** A back-test on a merchant's own charges, when it is asked for. */
export function runWhatIfs(deps: { run(job: WhatIfJob): Promise<void> }): OnDemandDuty {
  return {
    name: whatIfDutyName,
    onDemand: true,
    async run({ whatIfId }, { signal, progress }) {
      invariant(typeof whatIfId === 'string', 'a what-if is named by its id');
      await deps.run({ whatIfId, signal, progress });
    },
  };
}

/** What to ask the duty queue for. The same request twice is one job; asked anew it is another one. */
export function whatIfRequest(input: { readonly whatIfId: string; readonly requestedAt: Date }): {
  input: JsonObject;
  key: string;
} {
  const { whatIfId, requestedAt } = input;
  return { input: { whatIfId }, key: `${whatIfId}/${requestedAt.toISOString()}` };
}
