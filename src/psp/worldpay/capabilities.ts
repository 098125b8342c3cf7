import { minuteMs } from '../../domain/clock.ts';
import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/**
 * Worldpay's Access APIs. Sources: developer.worldpay.com, products/payments (there is no
 * idempotency key, and no place for metadata or, with a token, for an address; a token may come
 * with a card verification number), reference/formatting (only the test environment refuses a
 * reference that was used before), products/payment-queries (a payment may be missing for
 * 60 seconds) and products/card-payments (an event may take 15 minutes to show; the longer of the
 * two is taken, since a charge that is held for missing is made again).
 */
export const worldpayCapabilities: PspCapabilities = {
  psp: 'worldpay',
  keyMemoryMs: 0,
  lookUp: 'by_record',
  recordLagMs: 15 * minuteMs,
  tokens: true,
  metadata: false,
  networkTransactionId: true,
  billingAddress: false,
  currencies: 'any',
  refunds: true,
  lists: 'api',
  holdsInvoices: false,
};
