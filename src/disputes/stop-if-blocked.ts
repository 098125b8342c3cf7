import { type DisputeState, isOpenStatus } from '../domain/disputes/normalise/dispute-state.ts';
import type { DisputeRecord, StopRetries } from './dispute-ports.ts';

export interface StopDeps {
  readonly stopRetries: StopRetries;
}

/** Stops the retries of a disputed card; it may be repeated without harm. */
export async function stopIfBlocked(deps: StopDeps, record: DisputeRecord): Promise<void> {
  if (!blocksRetries(record.state)) return;
  const { merchantId, disputeId } = record;
  await deps.stopRetries({ merchantId, disputeId, detail: detailOf(record) });
}

function detailOf({ state, pspDisputeId, psp }: DisputeRecord): string {
  const what = state.kind === 'dispute' ? 'a dispute' : 'a fraud warning';
  return `The card has ${what} at ${psp}: ${pspDisputeId}`.slice(0, 500);
}

/** An open dispute, or a warning; the column of the same name says the same. */
function blocksRetries(state: DisputeState): boolean {
  return state.kind === 'fraud_warning' || isOpenStatus(state.status);
}
