import { dayMs, minuteMs } from '../../domain/clock.ts';
import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/** What Checkout.com's payments by a stored source take. */
export const checkoutCapabilities: PspCapabilities = {
  psp: 'checkout',
  /** The default of both environments; a failed request is not remembered at all. */
  keyMemoryMs: dayMs,
  lookUp: 'by_record',
  /**
   * Checkout.com gives no figure for its list of payments. Five minutes are ours: long for an
   * index, short for a recovery.
   */
  recordLagMs: 5 * minuteMs,
  tokens: false,
  metadata: true,
  /** As previous_payment_id, which takes the scheme's transaction id as well. */
  networkTransactionId: true,
  billingAddress: false,
  currencies: 'any',
  refunds: true,
  lists: 'api',
  holdsInvoices: false,
};
