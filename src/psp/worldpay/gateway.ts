import type { Clock } from '../../domain/clock.ts';
import type { PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { withoutCardCode } from '../without-card-code.ts';
import { worldpayCapabilities } from './capabilities.ts';
import type { WorldpayClient } from './client.ts';
import { type ReadAccount, worldpayIdentity } from './credentials.ts';
import { listWorldpayCharges } from './list-charges.ts';
import { chargeResult, credentialsResult, paymentBody } from './map.ts';
import { lookUpPayment } from './record.ts';
import { refundWorldpay } from './refund.ts';
import { readWorldpayWebhook } from './webhook.ts';

/** Charges through one entity of Worldpay. */
export function createWorldpayGateway(
  deps: { readonly client: WorldpayClient; readonly clock: Clock },
  read: ReadAccount,
): PspGateway {
  const { client } = deps;
  return {
    ...notOffered,
    capabilities: worldpayCapabilities,
    identity: worldpayIdentity(read),
    async charge(request) {
      if (read.kind === 'fault') return { kind: 'not_made', reason: read.reason };
      const ready = paymentBody(read.account, request);
      if (ready.kind === 'not_made') return ready;
      const sent = await client.postPayment(read.account, ready.text);
      return withoutCardCode(chargeResult(sent, request), request.token?.cardCode);
    },
    lookUp: async (request) =>
      read.kind === 'fault'
        ? { kind: 'unknown', reason: read.reason }
        : lookUpPayment(deps, read.account, request),
    refund: async (request) =>
      read.kind === 'fault'
        ? { kind: 'refused', reason: read.reason }
        : refundWorldpay({ ...deps, account: read.account }, request),
    listCharges: async (request) =>
      read.kind === 'fault'
        ? { kind: 'unavailable', reason: read.reason }
        : listWorldpayCharges(client, read.account, request),
    // The record of a payment names neither customer nor card: an event has all that there is.
    lookUpDispute: async () => ({ kind: 'nothing' }),
    async checkCredentials() {
      if (read.kind === 'fault') return { kind: 'refused', reason: read.reason };
      const sent = await client.findPayments(read.account, 'recoup-connection-check');
      return credentialsResult(sent, read.account);
    },
    readWebhook: async (delivery) =>
      read.kind === 'fault'
        ? { kind: 'unverified', reason: read.reason }
        : readWorldpayWebhook(read.account, delivery, (sought) =>
            lookUpPayment(deps, read.account, sought),
          ),
  };
}
