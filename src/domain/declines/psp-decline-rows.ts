import { present } from '../present.ts';
import type { DeclineCategory } from './decline.ts';

/** What one of a PSP's codes means for the next try. */
export interface PspDeclineRow {
  readonly category: DeclineCategory;
  readonly meaning: string;
  /** The PSP's own words for the code, where it is a number and reports may carry the words. */
  readonly name?: string;
  /** What the PSP itself calls it, where it tells hard from soft. */
  readonly pspClass?: 'soft' | 'hard';
  /** Why this category, where sources disagree or it is our decision. */
  readonly why?: string;
  /**
   * The acquirer's own block: it outranks a network code that would allow another try. `mastercard`
   * where only that network forbids the retry, so that a card of another network is not held back.
   */
  readonly blocks?: 'always' | 'mastercard';
  /** The PSP takes the card again after this long. */
  readonly waitMs?: number;
}

export type PspDeclineTable = Readonly<Record<string, PspDeclineRow>>;

/** Codes from `from` to `to`, both included, that have no row of their own. */
export interface PspDeclineRange {
  readonly from: number;
  readonly to: number;
  readonly row: PspDeclineRow;
}

/** All that is known of one PSP's declines. Keys are as the PSP writes them. */
export interface PspDeclines {
  /** Where the rows come from. */
  readonly source: string;
  readonly codes: PspDeclineTable;
  readonly ranges?: readonly PspDeclineRange[];
  readonly advice?: PspDeclineTable;
  readonly categories?: PspDeclineTable;
  /** Whether a code without a row is the network's response code under the PSP's name. */
  readonly restByNetworkCode?: true;
}

/** One row of a PSP's table; `why` where the category is not what the meaning suggests. */
export function row(category: DeclineCategory, meaning: string, why?: string): PspDeclineRow {
  return { category, meaning, ...present({ why }) };
}

/** A code by which the acquirer forbids every further try of the same card. */
export function blocked(meaning: string, why: string): PspDeclineRow {
  return { category: 'never', meaning, why, blocks: 'always' };
}
