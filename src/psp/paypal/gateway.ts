import type { CredentialsCheck, PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { paypalCapabilities } from './capabilities.ts';
import type { PaypalClient } from './client.ts';
import type { PaypalAccount } from './credentials.ts';
import { lookUpPaypalDispute } from './dispute.ts';
import { readPaypalWebhook } from './webhook.ts';

/** Whatever the credentials: a charge is never made, and so none is ever looked for. */
export const noCharges: Pick<PspGateway, 'charge' | 'lookUp'> = {
  charge: async () => ({
    kind: 'not_made',
    reason: 'Recoup does not charge at PayPal: the connection is for disputes.',
  }),
  lookUp: async () => ({ kind: 'not_found' }),
};

/** Disputes of one PayPal account. */
export function createPaypalGateway(
  deps: { readonly client: PaypalClient },
  account: PaypalAccount,
): PspGateway {
  const { client } = deps;
  return {
    ...notOffered,
    ...noCharges,
    capabilities: paypalCapabilities,
    identity: {
      accountId: account.clientId,
      mode: account.environment === 'live' ? 'live' : 'test',
    },
    checkCredentials: () => checkCredentials(client),
    lookUpDispute: (question) => lookUpPaypalDispute(client, question),
    readWebhook: (delivery) => readPaypalWebhook({ client, account }, delivery),
  };
}

async function checkCredentials(client: PaypalClient): Promise<CredentialsCheck> {
  const sent = await client.authenticate();
  if (sent.kind !== 'answered') return { kind: 'unreachable', reason: sent.reason };
  if (sent.status === 200) return { kind: 'accepted' };
  if (sent.status === 400 || sent.status === 401) {
    const reason = 'PayPal does not know this client_id and client_secret in this environment.';
    return { kind: 'refused', reason };
  }
  return { kind: 'unreachable', reason: `HTTP ${sent.status} with an answer that cannot be used` };
}
