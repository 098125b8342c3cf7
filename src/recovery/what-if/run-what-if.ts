import { addMs, type Clock, dayMs } from '../../domain/clock.ts';
import { errorMessage } from '../../domain/errors/error-message.ts';
import { present } from '../../domain/present.ts';
import { testedCharge } from './tested-charge.ts';
import type { ReadRecordedCharges, Tester, WhatIf, WhatIfStore } from './what-if-ports.ts';

export interface WhatIfDeps {
  readonly clock: Clock;
  readonly store: Pick<WhatIfStore, 'find' | 'note'>;
  readonly readCharges: ReadRecordedCharges;
  readonly startTester: () => Tester;
}

export interface WhatIfRun {
  readonly whatIfId: string;
  readonly signal: AbortSignal;
  /** Charges read so far. */
  progress(charges: number): void;
}

/** Reports whose invoices are one page: some ten milliseconds of reading and of this thread. */
const pageSize = 500;
/** Older habits of payers and issuers say little of the next month's. */
const lookBackMs = 400 * dayMs;
/** What a thread tests within some minutes and some hundred MB. */
const maxCharges = 1_000_000;

/**
 * Reads the merchant's charges and puts the policy to them, in a thread of its own. The result is kept
 * with the what-if. Run again after an interruption, it begins anew.
 */
export async function runWhatIf(deps: WhatIfDeps, run: WhatIfRun): Promise<void> {
  const whatIf = await deps.store.find(run.whatIfId);
  if (whatIf === undefined) return;
  const note = (state: WhatIf['state'], charges: number, message = '') =>
    deps.store.note({ whatIfId: run.whatIfId, state, charges, message, at: deps.clock.now() });
  const tester = deps.startTester();
  let charges = 0;
  try {
    await note('reading', 0);
    const to = deps.clock.now();
    const from = addMs(to, -lookBackMs);
    let afterInvoice: string | undefined;
    let isCapped = false;
    for (;;) {
      run.signal.throwIfAborted();
      const page = await deps.readCharges({
        merchantId: whatIf.merchantId,
        from,
        to,
        limit: pageSize,
        ...present({ afterInvoice }),
      });
      afterInvoice = page.at(-1)?.invoiceId;
      if (afterInvoice === undefined) break;
      await tester.add(page.map(testedCharge));
      charges += page.length;
      run.progress(charges);
      await note('reading', charges);
      isCapped = charges >= maxCharges;
      if (isCapped) break;
    }
    await note('testing', charges);
    const { policy, windowDays, maxAttempts, fixedDays } = whatIf;
    const result = await tester.test({ policy, windowDays, maxAttempts, fixedDays, isCapped });
    const { whatIfId } = run;
    const at = deps.clock.now();
    await deps.store.note({ whatIfId, state: 'done', charges, message: '', result, at });
  } catch (error) {
    // What ends with the process is run again by another one.
    if (!run.signal.aborted) {
      await note('failed', charges, errorMessage(error));
    }
    throw error;
  } finally {
    await tester.close();
  }
}
