import type { PspCredentialField } from '../../recovery/operator-api.ts';
import type { PspCredentials } from '../adapter.ts';

/** The credentials of a connection to PayPal. */
export const paypalCredentials: readonly PspCredentialField[] = [
  {
    name: 'client_id',
    label: 'Client ID',
    required: true,
    secret: false,
    meaning: 'The client id of a REST app of the account: Developer Dashboard, Apps & Credentials.',
  },
  {
    name: 'client_secret',
    label: 'Client secret',
    required: true,
    secret: true,
    meaning: 'The secret of the same app; the app needs the feature Customer disputes.',
  },
  {
    name: 'webhook_id',
    label: 'Webhook ID',
    required: true,
    secret: false,
    meaning: 'The id of the webhook of the same app, by which its deliveries are verified.',
  },
  {
    name: 'environment',
    label: 'Environment',
    required: true,
    secret: false,
    meaning: 'sandbox or live, as the app.',
  },
];

/** The credentials as the client needs them. */
export interface PaypalAccount {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  readonly environment: 'sandbox' | 'live';
}

/** `fault` says in a sentence what is wrong with the credentials; it repeats none. */
export type ReadAccount =
  | { readonly kind: 'account'; readonly account: PaypalAccount }
  | { readonly kind: 'fault'; readonly reason: string };

/** Reads a connection's credentials; a wrong one is said before anything is sent to PayPal. */
export function readPaypalAccount(credentials: PspCredentials): ReadAccount {
  const { client_id: clientId, client_secret: clientSecret, webhook_id: webhookId } = credentials;
  const { environment } = credentials;
  if (!clientId || !clientSecret) return fault('client_id or client_secret is missing.');
  if (!webhookId || !/^[a-zA-Z0-9]{1,50}$/.test(webhookId)) {
    return fault('webhook_id is missing, or is more than 50 letters and digits.');
  }
  if (environment !== 'sandbox' && environment !== 'live') {
    return fault('environment must be sandbox or live.');
  }
  return { kind: 'account', account: { clientId, clientSecret, webhookId, environment } };
}

function fault(reason: string): ReadAccount {
  return { kind: 'fault', reason };
}
