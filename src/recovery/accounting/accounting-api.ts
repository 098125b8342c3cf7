import type { InvariantCheck } from './accounting-ports.ts';

/** What operators have done to the record as a whole. */
export interface AccountingApi {
  /** Begins a check of everything in the background, or answers the one that is under way. */
  beginInvariantCheck(): Promise<InvariantCheck>;
}
