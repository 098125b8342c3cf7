import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { adyenCapabilities } from './capabilities.ts';
import { createAdyenClient } from './client.ts';
import { adyenCredentials, readAdyenAccount } from './credentials.ts';
import { createAdyenEvidence } from './evidence.ts';
import { createAdyenGateway } from './gateway.ts';

/** Adyen: charges by the Checkout API, standard and token webhooks. */
export function createAdyenAdapter(options: AdapterOptions): PspAdapter {
  const client = createAdyenClient(options);
  return {
    capabilities: adyenCapabilities,
    credentialFields: adyenCredentials,
    connect(credentials) {
      const read = readAdyenAccount(credentials);
      if (read.kind === 'fault') {
        const { reason } = read;
        return {
          ...faultyGateway(adyenCapabilities, reason),
          evidence: { kind: 'by_hand', reason },
        };
      }
      const { account } = read;
      const evidence = createAdyenEvidence(client, account);
      return { ...createAdyenGateway(client, account), evidence };
    },
    close: () => client.close(),
  };
}
