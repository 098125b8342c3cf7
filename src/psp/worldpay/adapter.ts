import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { worldpayAcceptance } from './acceptance.ts';
import { worldpayCapabilities } from './capabilities.ts';
import { createWorldpayClient } from './client.ts';
import { readWorldpayAccount, worldpayCredentials } from './credentials.ts';
import { worldpayEvidence } from './evidence.ts';
import { createWorldpayGateway } from './gateway.ts';

/** Worldpay: charges by the Access Payments API, records by Payment Queries, signed events. */
export function createWorldpayAdapter(options: AdapterOptions): PspAdapter {
  const client = createWorldpayClient(options);
  const deps = { client, clock: options.clock };
  return {
    capabilities: worldpayCapabilities,
    credentialFields: worldpayCredentials,
    connect(credentials) {
      const read = readWorldpayAccount(credentials);
      const gateway =
        read.kind === 'fault'
          ? faultyGateway(worldpayCapabilities, read.reason)
          : createWorldpayGateway(deps, read.account);
      return { ...gateway, evidence: worldpayEvidence, acceptance: worldpayAcceptance };
    },
    close: () => client.close(),
  };
}
