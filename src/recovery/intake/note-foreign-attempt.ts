import type { EngineLog } from '../engine/deps.ts';
import type { ForeignAttempt } from '../intake-ports.ts';

/** Counts a charge of somebody else during a recovery, and tells the operator once per invoice. */
export function noteForeignAttempt(
  deps: { readonly log: Pick<EngineLog, 'warn'>; readonly countForeignAttempt: () => void },
  { merchantId, invoiceId, warns }: ForeignAttempt,
): void {
  deps.countForeignAttempt();
  if (!warns) return;
  deps.log.warn(
    { merchantId, invoiceId },
    'another retrier is charging this invoice; switch it off',
  );
}
