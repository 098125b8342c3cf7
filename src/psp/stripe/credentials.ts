import type { PspCredentialField } from '../../recovery/operator-api.ts';
import type { PspIdentity } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';

/** What a connection to a Stripe account needs. */
export const stripeCredentials: readonly PspCredentialField[] = [
  {
    name: 'secret_key',
    label: 'Secret key',
    required: true,
    secret: true,
    meaning: 'The secret key (sk_…) or a restricted key (rk_…): Dashboard, Developers, API keys.',
  },
  {
    name: 'webhook_secret',
    label: 'Webhook signing secret',
    required: false,
    secret: true,
    meaning:
      'The signing secret (whsec_…) of the webhook endpoint; without it no webhook is taken.',
  },
  {
    name: 'account',
    label: 'Connected account',
    required: false,
    secret: false,
    meaning: 'The connected account (acct_…) to act for, where the key is a Connect platform’s.',
  },
];

/**
 * Keys say by their prefix whether real money moves (docs.stripe.com/keys). Whose they are only Stripe
 * says, unless a platform's key acts for the account that is named beside it.
 */
export function stripeIdentity({ secret_key: key = '', account }: PspCredentials): PspIdentity {
  const [, said] = /^(?:sk|rk)_(live|test)_/.exec(key) ?? [];
  return {
    mode: said === 'live' || said === 'test' ? said : 'unknown',
    ...(account && { accountId: account }),
  };
}
