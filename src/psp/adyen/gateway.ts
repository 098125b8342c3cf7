import type { PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { adyenCapabilities } from './capabilities.ts';
import type { AdyenClient } from './client.ts';
import { adyenIdentity, type ReadAccount } from './credentials.ts';
import { lookUpAdyenDispute } from './dispute.ts';
import { chargeResult, credentialsResult, paymentRequest } from './map.ts';
import { refundAdyen } from './refund.ts';
import { readAdyenReport } from './report.ts';
import { readAdyenWebhook } from './webhook.ts';

/** Charges through one merchant account of Adyen. */
export function createAdyenGateway(client: AdyenClient, read: ReadAccount): PspGateway {
  return {
    ...notOffered,
    capabilities: adyenCapabilities,
    identity: adyenIdentity(read),
    async charge(request) {
      if (read.kind === 'fault') return { kind: 'not_made', reason: read.reason };
      const ready = paymentRequest(read.account, request);
      if (ready.kind === 'not_made') return ready;
      const sent = await client.payments(read.account, ready.body, request.idempotencyKey);
      return chargeResult(sent, request);
    },
    lookUp: async () => ({
      kind: 'unknown',
      reason: 'Adyen has no record of payments to ask: the same key answers what became of it.',
    }),
    refund: async (request) =>
      read.kind === 'fault'
        ? { kind: 'refused', reason: read.reason }
        : refundAdyen(client, read.account, request),
    readReport: (text) =>
      read.kind === 'fault' ? { kind: 'unsupported' } : readAdyenReport(read.account, text),
    lookUpDispute: async (question) =>
      read.kind === 'fault'
        ? { kind: 'unavailable', reason: read.reason }
        : lookUpAdyenDispute(client, read.account, question),
    async checkCredentials() {
      if (read.kind === 'fault') return { kind: 'refused', reason: read.reason };
      const { merchantAccount } = read.account;
      return credentialsResult(
        await client.paymentMethods(read.account, { merchantAccount }),
        read.account,
      );
    },
    readWebhook: async (delivery) =>
      read.kind === 'fault'
        ? { kind: 'unverified', reason: read.reason }
        : readAdyenWebhook(read.account, delivery),
  };
}
