import { dayMs, minuteMs } from '../../domain/clock.ts';
import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/**
 * What Braintree's vault and transactions take. Custom fields are refused unless each is set up by
 * name in the control panel, so metadata stays out. The network transaction id of a vaulted card is
 * kept and sent by Braintree itself; the external one is "not for multi-use payment methods".
 */
export const braintreeCapabilities: PspCapabilities = {
  psp: 'braintree',
  /** At-most-once processing remembers an API request key for 30 days. */
  keyMemoryMs: 30 * dayMs,
  lookUp: 'by_record',
  /**
   * Braintree gives no figure for its search, which reads an index and not the record itself. Five
   * minutes are ours: long for an index, short for a recovery.
   */
  recordLagMs: 5 * minuteMs,
  tokens: false,
  metadata: false,
  networkTransactionId: false,
  billingAddress: true,
  currencies: 'any',
  refunds: true,
  lists: 'api',
  // Of a subscription's charge the balance lives there.
  holdsInvoices: true,
};
