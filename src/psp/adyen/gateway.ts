import type { PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { adyenCapabilities } from './capabilities.ts';
import type { AdyenClient } from './client.ts';
import { type AdyenAccount, adyenIdentity } from './credentials.ts';
import { lookUpAdyenDispute } from './dispute.ts';
import { chargeResult, credentialsResult, paymentRequest } from './map.ts';
import { refundAdyen } from './refund.ts';
import { readAdyenReport } from './report.ts';
import { readAdyenWebhook } from './webhook.ts';

/** Charges through one merchant account of Adyen. */
export function createAdyenGateway(client: AdyenClient, account: AdyenAccount): PspGateway {
  return {
    ...notOffered,
    capabilities: adyenCapabilities,
    identity: adyenIdentity(account),
    async charge(request) {
      const ready = paymentRequest(account, request);
      if (ready.kind === 'not_made') return ready;
      const sent = await client.payments(account, ready.body, request.idempotencyKey);
      return chargeResult(sent, request);
    },
    lookUp: async () => ({
      kind: 'unknown',
      reason: 'Adyen has no record of payments to ask: the same key answers what became of it.',
    }),
    refund: (request) => refundAdyen(client, account, request),
    readReport: (text) => readAdyenReport(account, text),
    lookUpDispute: (question) => lookUpAdyenDispute(client, account, question),
    async checkCredentials() {
      const { merchantAccount } = account;
      return credentialsResult(await client.paymentMethods(account, { merchantAccount }), account);
    },
    readWebhook: async (delivery) => readAdyenWebhook(account, delivery),
  };
}
