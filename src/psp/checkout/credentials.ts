import type { PspCredentialField } from '../../recovery/operator-api.ts';
import type { PspIdentity } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';

/** The credentials of a connection to Checkout.com. */
export const checkoutCredentials: readonly PspCredentialField[] = [
  {
    name: 'secret_key',
    label: 'Secret key',
    required: true,
    secret: true,
    meaning: 'A secret key (sk_…) that may make and read payments, in the dashboard under Keys.',
  },
  {
    name: 'environment',
    label: 'Environment',
    required: true,
    secret: false,
    meaning: 'sandbox or production, as the dashboard that the key comes from.',
  },
  {
    name: 'processing_channel_id',
    label: 'Processing channel ID',
    required: false,
    secret: false,
    meaning:
      'The processing channel (pc_…) of the charges; needed by all but accounts on the previous platform.',
  },
  {
    name: 'subdomain',
    label: 'Subdomain',
    required: false,
    secret: false,
    meaning:
      "The first eight characters of the client id after cli_, by which the account's own address begins; needed by all but accounts on the previous platform.",
  },
  {
    name: 'webhook_secret',
    label: 'Webhook signature key',
    required: false,
    secret: true,
    meaning: 'The signature key of the webhook; without it no webhook is taken.',
  },
];

/** The credentials as the client needs them. */
export interface CheckoutAccount {
  /** As the Authorization header has it. */
  readonly authorization: string;
  /** Where the account is, without a slash at the end. */
  readonly host: string;
  readonly mode: 'live' | 'test';
  readonly processingChannelId?: string;
  readonly webhookSecret?: string;
}

/** Keys of the previous platform are UUIDs and are sent as they are; it has no channels. */
const previousKey = /^sk_(test_)?\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$/;
const presentKey = /^sk_(sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/;

/** The account of these credentials; otherwise what to change, in a sentence. */
export function readAccount(
  credentials: PspCredentials,
): { readonly account: CheckoutAccount } | { readonly fault: string } {
  const { secret_key: key = '', environment, subdomain, webhook_secret } = credentials;
  const channel = credentials.processing_channel_id;
  const isPrevious = previousKey.test(key);
  if (!isPrevious && !presentKey.test(key)) {
    return { fault: 'secret_key must be a secret key of Checkout.com, which begins with sk_.' };
  }
  if (environment !== 'sandbox' && environment !== 'production') {
    return { fault: 'environment must be sandbox or production.' };
  }
  if (/^sk_(test|sbox)_/.test(key) !== (environment === 'sandbox')) {
    return { fault: 'secret_key is of the other environment: take both from one dashboard.' };
  }
  if (!isPrevious && !/^pc_\w+$/.test(channel ?? '')) {
    return { fault: 'processing_channel_id is needed, and begins with pc_.' };
  }
  if (!isPrevious && !/^[a-z0-9]+$/.test(subdomain ?? '')) {
    return { fault: 'subdomain is needed: the first eight characters of the client id.' };
  }
  const domain = environment === 'sandbox' ? 'api.sandbox.checkout.com' : 'api.checkout.com';
  return {
    account: {
      authorization: isPrevious ? key : `Bearer ${key}`,
      mode: environment === 'sandbox' ? 'test' : 'live',
      host: isPrevious ? `https://${domain}` : `https://${subdomain}.${domain}`,
      ...(channel && { processingChannelId: channel }),
      ...(webhook_secret && { webhookSecret: webhook_secret }),
    },
  };
}

/**
 * Checkout.com names no account: its address and channel do. Keys of the previous platform have
 * neither.
 */
export function checkoutIdentity({
  host,
  mode,
  processingChannelId,
}: CheckoutAccount): PspIdentity {
  const accountId = processingChannelId && `${new URL(host).hostname}/${processingChannelId}`;
  return { mode, ...(accountId && { accountId }) };
}
