import type { AcceptanceApi } from '../../disputes/acceptance/acceptance-gateway.ts';
import { fieldsOf, textOf } from '../answer-fields.ts';
import type { CheckoutClient } from './client.ts';
import { resultOf } from './evidence.ts';
import { reasonOf } from './map.ts';

/** Source: Checkout.com, API reference, Disputes: accept dispute (POST without a body, 204); checkout-sdk-net, DisputeStatus. */
export function createCheckoutAcceptance(client: CheckoutClient): AcceptanceApi {
  return {
    kind: 'api',
    accept: async ({ pspDisputeId }) => resultOf(await client.acceptDispute(pspDisputeId)),
    async readAccepted(pspDisputeId) {
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'unreadable', reason: reasonOf(found) };
      const status = textOf(fieldsOf(found.value)?.status);
      if (status === 'accepted') return { kind: 'accepted' };
      return status === 'evidence_required'
        ? { kind: 'not_accepted' }
        : { kind: 'unreadable', reason: 'the status of the dispute does not say it' };
    },
  };
}
