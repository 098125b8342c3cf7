import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { braintreeCapabilities } from './capabilities.ts';
import { createBraintreePool } from './client.ts';
import { braintreeCredentials, readAccount } from './credentials.ts';
import { createBraintreeEvidence } from './evidence.ts';
import { createBraintreeGateway } from './gateway.ts';

/** Braintree, by its official SDK over one pool of kept connections. */
export function createBraintreeAdapter(options: AdapterOptions): PspAdapter {
  const pool = createBraintreePool(options);
  const { clock } = options;
  return {
    capabilities: braintreeCapabilities,
    credentialFields: braintreeCredentials,
    connect(credentials) {
      const read = readAccount(credentials);
      if ('fault' in read) {
        const evidence = { kind: 'by_hand', reason: read.fault } as const;
        return { ...faultyGateway(braintreeCapabilities, read.fault), evidence };
      }
      const { account } = read;
      const client = pool.client(account);
      return {
        ...createBraintreeGateway({ client, clock }, account),
        evidence: createBraintreeEvidence(client),
      };
    },
    close: async () => pool.close(),
  };
}
