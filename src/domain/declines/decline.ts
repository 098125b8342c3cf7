import type { CardNetwork } from './decline-codes.ts';

/**
 * What a decline means for the next try. `never`: this credential must not be charged again;
 * `fix_data`: something stored is wrong or outdated; `customer_action`: the payer must act;
 * `later`: the same charge may be approved at another time; `technical`: no answer from the issuer, try
 * soon; `review`: a set-up that a person has to look at.
 */
export const declineCategories = [
  'never',
  'fix_data',
  'customer_action',
  'later',
  'technical',
  'review',
] as const;
export type DeclineCategory = (typeof declineCategories)[number];

/** Who may say what a decline means, the one that is believed first at the front. */
export const declineVoices = [
  'network_advice',
  'network_code',
  'psp_advice',
  'psp_code',
  'psp_category',
] as const;
export type DeclineVoice = (typeof declineVoices)[number];

/** What one source said of a decline, and what its table makes of it. */
export interface DeclineStatement {
  readonly source: DeclineVoice;
  /** The code or word as it came. */
  readonly said: string;
  readonly category: DeclineCategory;
}

/** One decline, normalised, with what each source said. */
export interface Decline {
  readonly category: DeclineCategory;
  /** The PSP's own code, as it came. */
  readonly code: string;
  /** The PSP's words, as they came, cut at `limits.messageLength`. */
  readonly message?: string;
  /** The card's network, when it is known: it decides how the codes are read. */
  readonly network?: CardNetwork;
  /** The network's response code (ISO 8583 DE 39), when the PSP passes it on. */
  readonly networkCode?: string;
  /** Mastercard's merchant advice code (DE 48 SE 84), two digits. */
  readonly adviceCode?: string;
  /**
   * The same card must not be charged again before this long after the decline: what the network's
   * advice asks for (Mastercard's 02 and 24 to 30, see decline-codes.ts).
   */
  readonly waitMs?: number;
  /** What each source said that a table knows: the deciding one first, then by precedence. */
  readonly sources?: readonly DeclineStatement[];
}

/** Whether a plan may try the same payment method again without new data or an action by the payer. */
export function mayTryAgain(category: DeclineCategory): boolean {
  return category === 'later' || category === 'technical';
}
