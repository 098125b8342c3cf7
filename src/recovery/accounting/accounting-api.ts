import type { InvariantCheck, InvariantsReport } from './accounting-ports.ts';

/** What operators ask of the record as a whole. */
export interface AccountingApi {
  /** What must always hold, as it is known now; the kept totals are brought up to date first. */
  showInvariants(): Promise<InvariantsReport>;
  /** Begins a check of everything in the background, or answers the one that is under way. */
  beginInvariantCheck(): Promise<InvariantCheck>;
}
