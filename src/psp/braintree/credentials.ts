import type { PspCredentialField } from '../../recovery/operator-api.ts';
import type { PspIdentity } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';

/** The credentials of a connection to Braintree. */
export const braintreeCredentials: readonly PspCredentialField[] = [
  {
    name: 'merchant_id',
    label: 'Merchant ID',
    required: true,
    secret: false,
    meaning: "The gateway's merchant id, in the control panel under Settings, API.",
  },
  {
    name: 'public_key',
    label: 'Public key',
    required: true,
    secret: false,
    meaning: 'The public key of the API key, in the control panel under Settings, API.',
  },
  {
    name: 'private_key',
    label: 'Private key',
    required: true,
    secret: true,
    meaning: 'The private key that belongs to the public key; it also verifies webhooks.',
  },
  {
    name: 'merchant_account_ids',
    label: 'Merchant accounts by currency',
    required: false,
    secret: false,
    meaning:
      'The merchant account of each currency, such as EUR=acme_eur,JPY=acme_jpy; another currency goes to the default account if that is its own.',
  },
  {
    name: 'environment',
    label: 'Environment',
    required: true,
    secret: false,
    meaning: 'sandbox or production, as the control panel that the keys come from.',
  },
];

/** The credentials as the client needs them. */
export interface BraintreeAccount {
  readonly merchantId: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly environment: 'sandbox' | 'production';
  /** The merchant account of each currency that the merchant named. */
  readonly merchantAccounts: ReadonlyMap<string, string>;
}

/** The account of these credentials; otherwise what to change, in a sentence. */
export function readAccount(
  credentials: PspCredentials,
): { readonly account: BraintreeAccount } | { readonly fault: string } {
  const { merchant_id, public_key, private_key, environment } = credentials;
  if (!merchant_id || !public_key || !private_key) {
    return { fault: 'merchant_id, public_key and private_key are all needed.' };
  }
  if (!/^[A-Za-z0-9_-]+$/.test(merchant_id)) {
    return { fault: 'merchant_id must be letters, digits, - and _ only.' };
  }
  if (environment !== 'sandbox' && environment !== 'production') {
    return { fault: 'environment must be sandbox or production.' };
  }
  const merchantAccounts = readMerchantAccounts(credentials.merchant_account_ids ?? '');
  if (merchantAccounts === undefined) {
    return { fault: 'merchant_account_ids must be like EUR=acme_eur,JPY=acme_jpy.' };
  }
  return {
    account: {
      merchantId: merchant_id,
      publicKey: public_key,
      privateKey: private_key,
      environment,
      merchantAccounts,
    },
  };
}

function readMerchantAccounts(text: string): ReadonlyMap<string, string> | undefined {
  const accounts = new Map<string, string>();
  for (const pair of text.split(',')) {
    const trimmed = pair.trim();
    if (trimmed === '') continue;
    const [, currency, id] = /^([A-Z]{3})\s*=\s*([A-Za-z0-9_-]+)$/.exec(trimmed) ?? [];
    if (currency === undefined || id === undefined || accounts.has(currency)) return undefined;
    accounts.set(currency, id);
  }
  return accounts;
}

export function braintreeIdentity({ merchantId, environment }: BraintreeAccount): PspIdentity {
  return { accountId: merchantId, mode: environment === 'production' ? 'live' : 'test' };
}
