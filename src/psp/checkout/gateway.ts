import type { ChargeRequest, ChargeResult, PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { withoutCardCode } from '../without-card-code.ts';
import { checkoutAmount } from './amount.ts';
import { checkoutCapabilities } from './capabilities.ts';
import type { CheckoutClient } from './client.ts';
import { type CheckoutAccount, checkoutIdentity } from './credentials.ts';
import { lookUpCheckoutDispute } from './dispute.ts';
import { listCheckoutCharges } from './list-charges.ts';
import { chargeResult, credentialsResult, lookUpResult, paymentBody } from './map.ts';
import { referenceOf } from './reference.ts';
import { refundCheckout } from './refund.ts';
import { readCheckoutWebhook } from './webhook.ts';

/** A reference that no payment has: a look for it shows whether the key may read payments. */
const noReference = 'recoup-credentials-check';

/** Charges through one Checkout.com account. */
export function createCheckoutGateway(
  deps: { readonly client: CheckoutClient },
  account: CheckoutAccount,
): PspGateway {
  const { client } = deps;

  async function charge(request: ChargeRequest): Promise<ChargeResult> {
    const amount = checkoutAmount(request);
    if ('fault' in amount) return { kind: 'not_made', reason: amount.fault };
    const body = paymentBody(request, { units: amount.units, account });
    return chargeResult(await client.pay(body, request.idempotencyKey), request);
  }

  return {
    ...notOffered,
    capabilities: checkoutCapabilities,
    identity: checkoutIdentity(account),
    charge: async (request) => withoutCardCode(await charge(request), request.token?.cardCode),
    async lookUp(request) {
      const { idempotencyKey: key } = request;
      // As a whole it was sent by releases before this one.
      const references = new Set([referenceOf(key), key]);
      return lookUpResult(await client.findByReference(...references), request);
    },
    refund: (request) => refundCheckout(client, request),
    listCharges: (request) => listCheckoutCharges(client, request),
    lookUpDispute: (question) => lookUpCheckoutDispute({ client }, question),
    checkCredentials: async () => credentialsResult(await client.findByReference(noReference)),
    readWebhook: (delivery) => readCheckoutWebhook({ client, account }, delivery),
  };
}
