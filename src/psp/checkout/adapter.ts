import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { createCheckoutAcceptance } from './acceptance.ts';
import { checkoutCapabilities } from './capabilities.ts';
import { createCheckoutPool } from './client.ts';
import { checkoutCredentials, readAccount } from './credentials.ts';
import { createCheckoutEvidence } from './evidence.ts';
import { createCheckoutGateway } from './gateway.ts';

/** Checkout.com, by its official SDK over one pool of kept connections. */
export function createCheckoutAdapter(options: AdapterOptions): PspAdapter {
  const pool = createCheckoutPool(options);
  return {
    capabilities: checkoutCapabilities,
    credentialFields: checkoutCredentials,
    connect(credentials) {
      const read = readAccount(credentials);
      if ('fault' in read) {
        const byHand = { kind: 'by_hand', reason: read.fault } as const;
        const faulty = faultyGateway(checkoutCapabilities, read.fault);
        return { ...faulty, evidence: byHand, acceptance: byHand };
      }
      const client = pool.client(read.account);
      return {
        ...createCheckoutGateway({ client }, read.account),
        evidence: createCheckoutEvidence(client),
        acceptance: createCheckoutAcceptance(client),
      };
    },
    close: async () => pool.close(),
  };
}
