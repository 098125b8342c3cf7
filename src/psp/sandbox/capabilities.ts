import type { PspCapabilities } from '../capabilities.ts';

/** The sandbox keeps its ledger, keys included, until its folder is removed. */
export const sandboxCapabilities: PspCapabilities = {
  psp: 'sandbox',
  keyMemoryMs: 'forever',
  lookUp: 'by_key',
  tokens: true,
  metadata: true,
  networkTransactionId: true,
  billingAddress: true,
  currencies: 'any',
};
