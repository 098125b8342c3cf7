import type { PspCapabilities } from '../../recovery/psp-ports.ts';

/** The sandbox keeps its ledger, keys included, until its folder is removed. */
export const sandboxCapabilities: PspCapabilities = {
  psp: 'sandbox',
  keyMemoryMs: 'forever',
  lookUp: 'by_record',
  recordLagMs: 0,
  tokens: true,
  metadata: true,
  networkTransactionId: true,
  billingAddress: true,
  currencies: 'any',
  refunds: true,
  lists: 'api',
  holdsInvoices: false,
};
