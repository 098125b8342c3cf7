import type { AcceptanceGateway } from '../../disputes/acceptance/acceptance-gateway.ts';
import type { AdyenClient } from './client.ts';
import type { AdyenAccount } from './credentials.ts';
import { resultOf } from './evidence.ts';

/** Disputes are accepted by Adyen's Disputes API v30. Source: docs.adyen.com, Disputes API, acceptDispute. */
export function createAdyenAcceptance(
  client: AdyenClient,
  account: AdyenAccount,
): AcceptanceGateway {
  const { merchantAccount: merchantAccountCode } = account;
  return {
    kind: 'api',
    async accept({ pspDisputeId: disputePspReference }) {
      const sent = await client.accept(account, { disputePspReference, merchantAccountCode });
      return resultOf(sent, 'the acceptance');
    },
    readAccepted: async () => ({
      kind: 'unreadable',
      reason: 'Adyen has no record of disputes to ask: its webhook tells of the acceptance.',
    }),
  };
}
