import { dayMs, secondMs } from '../../domain/clock.ts';
import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/** What the public API of Stripe takes and keeps. */
export const stripeCapabilities: PspCapabilities = {
  psp: 'stripe',
  // Keys may be removed once they are 24 hours old (docs.stripe.com/api/idempotent_requests).
  keyMemoryMs: dayMs,
  lookUp: 'by_record',
  // Lists are not behind (docs.stripe.com/search, "Data freshness"), but Stripe may still work on a
  // request whose connection broke: its SDKs wait 80 seconds for an answer. The lag of the Search
  // API, asked only where no customer is known, is minded in the look-up itself.
  recordLagMs: 80 * secondMs,
  // A payment method of Stripe's own is charged; its card data, billing address and the network's
  // transaction id of its first success stay with Stripe, which sends them on by itself.
  tokens: false,
  metadata: true,
  networkTransactionId: false,
  billingAddress: false,
  // Which of its 135 and more currencies an account may charge in depends on its country.
  currencies: 'any',
  refunds: true,
  lists: 'api',
  holdsInvoices: true,
};
