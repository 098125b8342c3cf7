import type { PspCapabilities, PspGateway } from '../recovery/psp-ports.ts';

/**
 * The gateway of a connection whose credentials cannot be right: it says what to change, in a sentence,
 * and sends nothing.
 */
export function faultyGateway(capabilities: PspCapabilities, reason: string): PspGateway {
  return {
    capabilities,
    identity: { mode: 'unknown' },
    charge: async () => ({ kind: 'not_made', reason }),
    lookUp: async () => ({ kind: 'unknown', reason }),
    findInvoice: async () =>
      capabilities.holdsInvoices ? { kind: 'unknown', reason } : { kind: 'none' },
    refund: async () => ({ kind: 'refused', reason }),
    listCharges: async () =>
      capabilities.lists === 'api' ? { kind: 'unavailable', reason } : { kind: 'unsupported' },
    readReport: () => ({ kind: 'unsupported' }),
    lookUpDispute: async () => ({ kind: 'unavailable', reason }),
    checkCredentials: async () => ({ kind: 'refused', reason }),
    readWebhook: async () => ({ kind: 'unverified', reason }),
  };
}
