import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { faultyGateway } from '../faulty-gateway.ts';
import { createPaypalAcceptance } from './acceptance.ts';
import { paypalCapabilities } from './capabilities.ts';
import { createPaypalPool } from './client.ts';
import { paypalCredentials, readPaypalAccount } from './credentials.ts';
import { createPaypalEvidence } from './evidence.ts';
import { createPaypalGateway, noCharges } from './gateway.ts';

/** PayPal: a source of disputes; nothing is charged through it. */
export function createPaypalAdapter(options: AdapterOptions): PspAdapter {
  const pool = createPaypalPool(options);
  return {
    capabilities: paypalCapabilities,
    credentialFields: paypalCredentials,
    connect(credentials) {
      const read = readPaypalAccount(credentials);
      if (read.kind === 'fault') {
        const { reason } = read;
        const byHand = { kind: 'by_hand', reason } as const;
        const faulty = { ...faultyGateway(paypalCapabilities, reason), ...noCharges };
        return { ...faulty, evidence: byHand, acceptance: byHand };
      }
      const client = pool.client(read.account);
      const gateway = createPaypalGateway({ client }, read.account);
      return {
        ...gateway,
        evidence: createPaypalEvidence(client),
        acceptance: createPaypalAcceptance(client),
      };
    },
    close: () => pool.close(),
  };
}
