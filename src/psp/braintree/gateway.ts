import type { Clock } from '../../domain/clock.ts';
import { maxAmountMinor } from '../../domain/money.ts';
import type { ChargeRequest, ChargeResult, PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import type { Watched } from '../watched-call.ts';
import { withoutCardCode } from '../without-card-code.ts';
import { braintreeCapabilities } from './capabilities.ts';
import type { BraintreeClient, SaleAnswer } from './client.ts';
import { type BraintreeAccount, braintreeIdentity } from './credentials.ts';
import { lookUpBraintreeDispute } from './dispute.ts';
import { findSubscription } from './find-subscription.ts';
import { listBraintreeCharges } from './list-charges.ts';
import {
  credentialsResult,
  isKeyNotAllowed,
  lookUpResult,
  retriedResult,
  retriesOf,
  saleAttributes,
  saleResult,
} from './map.ts';
import { createMerchantAccounts } from './merchant-account.ts';
import { refundBraintree } from './refund.ts';
import { readBraintreeWebhook } from './webhook.ts';

/** Charges through one Braintree gateway account. */
export function createBraintreeGateway(
  deps: { readonly client: BraintreeClient; readonly clock: Clock },
  account: BraintreeAccount,
): PspGateway {
  const { client } = deps;
  const chooseAccount = createMerchantAccounts(deps, account);
  let useKey = true;

  async function charge(request: ChargeRequest): Promise<ChargeResult> {
    const { amountMinor } = request;
    if (!Number.isInteger(amountMinor) || amountMinor < 1 || amountMinor > maxAmountMinor) {
      return { kind: 'not_made', reason: 'the amount is out of range' };
    }
    // One for the whole charge: whoever looks it up later counts from when it was begun.
    const deadline = client.deadline();
    const chosen = await chooseAccount(request.currency, deadline);
    if (chosen.kind === 'none') return { kind: 'not_made', reason: chosen.reason };
    const sent = await client.sale(saleAttributes(request, { ...chosen, useKey }), deadline);
    if (!useKey || !isKeyNotAllowed(sent)) return resultOf(sent, request, deadline);
    // Nothing was made. From now on the order id alone finds a charge again, as it does anyway.
    useKey = false;
    const again = await client.sale(saleAttributes(request, { ...chosen, useKey }), deadline);
    return resultOf(again, request, deadline);
  }

  /** A declined sale that Braintree itself has tried again is what those tries came to. */
  async function resultOf(
    sent: Watched<SaleAnswer>,
    request: ChargeRequest,
    deadline: AbortSignal,
  ): Promise<ChargeResult> {
    const result = saleResult(sent, request);
    const retries = retriesOf(sent);
    if (result.kind !== 'declined' || retries.length === 0) return result;
    return retriedResult(sent, await client.findEach(retries, deadline), request);
  }

  return {
    ...notOffered,
    capabilities: braintreeCapabilities,
    identity: braintreeIdentity(account),
    charge: async (request) => withoutCardCode(await charge(request), request.token?.cardCode),
    lookUp: async (request) =>
      lookUpResult(await client.findByOrderId(request.idempotencyKey), request),
    refund: (request) => refundBraintree(client, request),
    listCharges: (request) => listBraintreeCharges(client, request),
    findInvoice: (failed) => findSubscription({ client }, failed),
    lookUpDispute: (question) => lookUpBraintreeDispute({ client }, question),
    checkCredentials: async () => credentialsResult(await client.merchantAccounts(), account),
    readWebhook: (delivery) => readBraintreeWebhook({ client }, delivery),
  };
}
