import type { AcceptanceApi } from '../../disputes/acceptance/acceptance-gateway.ts';
import { textOf } from '../answer-fields.ts';
import type { BraintreeClient } from './client.ts';
import { disputeIn, resultOf } from './dispute-answers.ts';
import { reasonOf } from './map.ts';

/** Open disputes alone are accepted. Source: Braintree, dispute.accept and Dispute.Status. */
export function createBraintreeAcceptance(client: BraintreeClient): AcceptanceApi {
  return {
    kind: 'api',
    accept: async ({ pspDisputeId }) =>
      resultOf(await client.acceptDispute(pspDisputeId), 'the acceptance'),
    async readAccepted(pspDisputeId) {
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'unreadable', reason: reasonOf(found) };
      const status = textOf(disputeIn(found.value).status);
      if (status === 'accepted') return { kind: 'accepted' };
      return status === 'open'
        ? { kind: 'not_accepted' }
        : { kind: 'unreadable', reason: 'the state of the dispute does not say it' };
    },
  };
}
