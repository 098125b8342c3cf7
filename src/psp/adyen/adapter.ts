import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { createAdyenAcceptance } from './acceptance.ts';
import { adyenCapabilities } from './capabilities.ts';
import { createAdyenClient } from './client.ts';
import { adyenCredentials, readAdyenAccount } from './credentials.ts';
import { createAdyenEvidence } from './evidence.ts';
import { createAdyenGateway } from './gateway.ts';
import { adyenSdk } from './sdk.ts';

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
        const byHand = { kind: 'by_hand', reason } as const;
        const faulty = faultyGateway(adyenCapabilities, reason);
        return { ...faulty, evidence: byHand, acceptance: byHand };
      }
      // What is asked and verified from here on needs it.
      adyenSdk();
      const { account } = read;
      const evidence = createAdyenEvidence(client, account);
      const acceptance = createAdyenAcceptance(client, account);
      return { ...createAdyenGateway(client, account), evidence, acceptance };
    },
    close: () => client.close(),
  };
}
