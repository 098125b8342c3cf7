import type { Psp } from '../domain/psps.ts';

/** What a processor can do, for those who plan, settle and document; one list per folder. */
export interface PspCapabilities {
  readonly psp: Psp;
  /**
   * How long the processor remembers an idempotency key. A charge sent again after that is a new
   * charge, so an unknown outcome must be settled before.
   */
  readonly keyMemoryMs: number | 'forever';
  /** How a charge whose answer was lost is found again. */
  readonly lookUp: 'by_key' | 'by_reference' | 'none';
  /** Whether it takes a token with expiry and card verification number. */
  readonly tokens: boolean;
  readonly metadata: boolean;
  /** Whether it takes the network transaction id of the card's first success. */
  readonly networkTransactionId: boolean;
  readonly billingAddress: boolean;
  /** Three-letter codes, or `any` where it does not limit them. */
  readonly currencies: 'any' | readonly string[];
}
