import { Worker } from 'node:worker_threads';
import { invariant } from '../../domain/errors.ts';
import type {
  TestedCharge,
  Tester,
  WhatIfResult,
  WhatIfTerms,
} from '../../recovery/what-if/what-if-ports.ts';
import { askThread } from './ask-thread.ts';

export type TesterCall =
  | { readonly kind: 'charges'; readonly charges: readonly TestedCharge[] }
  | { readonly kind: 'test'; readonly terms: WhatIfTerms & { readonly isCapped: boolean } };

/** Of the testing thread alone: what a million charges and 50,000 tries to learn from need, and twice that. */
const maxHeapMb = 2_048;

/** Tests in a thread of its own, as models are trained: a call waits for its answer. */
export function startTester(): Tester {
  const worker = new Worker(new URL('./testing-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const ask = askThread<TesterCall, WhatIfResult | undefined>(worker);
  return {
    async add(charges) {
      await ask({ kind: 'charges', charges });
    },
    async test(terms) {
      const result = await ask({ kind: 'test', terms });
      invariant(result !== undefined, 'a test ends with a result');
      return result;
    },
    async close() {
      await worker.terminate();
    },
  };
}
