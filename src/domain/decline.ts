/**
 * What a decline means for the next try. `never`: this credential must not be charged again;
 * `fix_data`: something stored is wrong or outdated; `customer_action`: the payer must act;
 * `later`: the same charge may pass at another time; `technical`: no answer from the issuer, try
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

/** One decline, normalised, with what each source said. */
export interface Decline {
  readonly category: DeclineCategory;
  /** The PSP's own code, as it came. */
  readonly code: string;
  /** The PSP's words, as they came, cut at `limits.messageLength`. */
  readonly message?: string;
  /** The network's response code (ISO 8583 DE 39), when the PSP passes it on. */
  readonly networkCode?: string;
  /** Mastercard's merchant advice code (DE 48 SE 84), two digits. */
  readonly adviceCode?: string;
  /**
   * The same card must not be charged again before this long after the decline: what the network's
   * advice asks for (Mastercard's 02 and 24 to 30, see decline-codes.ts).
   */
  readonly waitMs?: number;
}

/** Whether a plan may try the same payment method again without new data or an act of the payer. */
export function mayTryAgain(category: DeclineCategory): boolean {
  return category === 'later' || category === 'technical';
}
