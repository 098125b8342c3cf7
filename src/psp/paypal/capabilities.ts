import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/** PayPal tells of disputes alone: Recoup charges nothing there, so nothing is taken or looked up. */
export const paypalCapabilities: PspCapabilities = {
  psp: 'paypal',
  keyMemoryMs: 0,
  lookUp: 'by_record',
  recordLagMs: 0,
  tokens: false,
  metadata: false,
  networkTransactionId: false,
  billingAddress: false,
  currencies: [],
  refunds: false,
  lists: 'none',
  holdsInvoices: false,
};
