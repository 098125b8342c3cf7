import { dayMs } from '../../domain/clock.ts';
import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/**
 * Adyen's Checkout API. Sources: docs.adyen.com, development-resources/api-idempotency (keys are
 * kept for at least 7 days, for the company account, in each region by itself) and
 * api-explorer/Checkout. There is no call that reads a payment: a lost answer is asked for again
 * with the same key. A billing address is taken only whole, with street and house number, and a
 * card verification number only of a payer who is there.
 */
export const adyenCapabilities: PspCapabilities = {
  psp: 'adyen',
  keyMemoryMs: 7 * dayMs,
  lookUp: 'same_key',
  recordLagMs: 0,
  tokens: false,
  metadata: true,
  networkTransactionId: true,
  billingAddress: false,
  currencies: 'any',
  refunds: true,
  lists: 'report',
  holdsInvoices: false,
};
