import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { adyenCapabilities } from './capabilities.ts';
import { createAdyenClient } from './client.ts';
import { adyenCredentials, readAdyenAccount } from './credentials.ts';
import { createAdyenGateway } from './gateway.ts';

/** Adyen: charges by the Checkout API, standard and token webhooks. */
export function createAdyenAdapter(options: AdapterOptions): PspAdapter {
  const client = createAdyenClient(options);
  return {
    capabilities: adyenCapabilities,
    credentialFields: adyenCredentials,
    connect: (credentials) => createAdyenGateway(client, readAdyenAccount(credentials)),
    close: () => client.close(),
  };
}
