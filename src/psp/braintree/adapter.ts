import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { braintreeCapabilities } from './capabilities.ts';
import { createBraintreePool } from './client.ts';
import { braintreeCredentials, readAccount } from './credentials.ts';
import { createBraintreeGateway, createFaultyGateway } from './gateway.ts';

/** Braintree, by its official SDK over one pool of kept connections. */
export function createBraintreeAdapter(options: AdapterOptions): PspAdapter {
  const pool = createBraintreePool(options);
  const { clock } = options;
  return {
    capabilities: braintreeCapabilities,
    credentialFields: braintreeCredentials,
    connect(credentials) {
      const read = readAccount(credentials);
      if ('fault' in read) return createFaultyGateway(read.fault);
      const { account } = read;
      return createBraintreeGateway({ client: pool.client(account), clock }, account);
    },
    close: async () => pool.close(),
  };
}
