import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { checkoutCapabilities } from './capabilities.ts';
import { createCheckoutPool } from './client.ts';
import { checkoutCredentials, readAccount } from './credentials.ts';
import { createCheckoutGateway, createFaultyGateway } from './gateway.ts';

/** Checkout.com, by its official SDK over one pool of kept connections. */
export function createCheckoutAdapter(options: AdapterOptions): PspAdapter {
  const pool = createCheckoutPool(options);
  return {
    capabilities: checkoutCapabilities,
    credentialFields: checkoutCredentials,
    connect(credentials) {
      const read = readAccount(credentials);
      if ('fault' in read) return createFaultyGateway(read.fault);
      return createCheckoutGateway({ client: pool.client(read.account) }, read.account);
    },
    close: async () => pool.close(),
  };
}
