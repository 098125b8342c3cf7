import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { createBraintreeAcceptance } from './acceptance.ts';
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
        const byHand = { kind: 'by_hand', reason: read.fault } as const;
        const faulty = faultyGateway(braintreeCapabilities, read.fault);
        return { ...faulty, evidence: byHand, acceptance: byHand };
      }
      const { account } = read;
      const client = pool.client(account);
      return {
        ...createBraintreeGateway({ client, clock }, account),
        evidence: createBraintreeEvidence(client),
        acceptance: createBraintreeAcceptance(client),
      };
    },
    close: async () => pool.close(),
  };
}
