import type { Clock } from '../../domain/clock.ts';
import type { PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { withoutCardCode } from '../without-card-code.ts';
import { worldpayCapabilities } from './capabilities.ts';
import type { WorldpayClient } from './client.ts';
import { type WorldpayAccount, worldpayIdentity } from './credentials.ts';
import { listWorldpayCharges } from './list-charges.ts';
import { chargeResult, credentialsResult, paymentBody } from './map.ts';
import { lookUpPayment } from './record.ts';
import { refundWorldpay } from './refund.ts';
import { readWorldpayWebhook } from './webhook.ts';

/** Charges through one entity of Worldpay. */
export function createWorldpayGateway(
  deps: { readonly client: WorldpayClient; readonly clock: Clock },
  account: WorldpayAccount,
): PspGateway {
  const { client } = deps;
  return {
    ...notOffered,
    capabilities: worldpayCapabilities,
    identity: worldpayIdentity(account),
    async charge(request) {
      const ready = paymentBody(account, request);
      if (ready.kind === 'not_made') return ready;
      const sent = await client.postPayment(account, ready.text);
      return withoutCardCode(chargeResult(sent, request), request.token?.cardCode);
    },
    lookUp: (request) => lookUpPayment(deps, account, request),
    refund: (request) => refundWorldpay({ ...deps, account }, request),
    listCharges: (request) => listWorldpayCharges(client, account, request),
    // The record of a payment names neither customer nor card: an event has all that there is.
    lookUpDispute: async () => ({ kind: 'nothing' }),
    async checkCredentials() {
      const sent = await client.findPayments(account, 'recoup-connection-check');
      return credentialsResult(sent, account);
    },
    readWebhook: (delivery) =>
      readWorldpayWebhook(account, delivery, (sought) => lookUpPayment(deps, account, sought)),
  };
}
