import type { Psp } from '../../domain/psps.ts';

/** The merchant whose API key a request carries. */
export interface Caller {
  readonly merchantId: string;
  /** The PSPs that the merchant has a connection to. */
  readonly psps: readonly Psp[];
}
