import type { PspCredentialField } from '../../recovery/operator-api.ts';

/** What a connection to a Stripe account needs. */
export const stripeCredentials: readonly PspCredentialField[] = [
  {
    name: 'secret_key',
    required: true,
    secret: true,
    meaning: 'The secret key (sk_…) or a restricted key (rk_…): Dashboard, Developers, API keys.',
  },
  {
    name: 'webhook_secret',
    required: false,
    secret: true,
    meaning:
      'The signing secret (whsec_…) of the webhook endpoint; without it no webhook is taken.',
  },
  {
    name: 'account',
    required: false,
    secret: false,
    meaning: 'The connected account (acct_…) to act for, where the key is a Connect platform’s.',
  },
];
