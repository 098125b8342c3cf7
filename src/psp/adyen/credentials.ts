import type { PspCredentialField } from '../../recovery/operator-api.ts';
import type { PspIdentity } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';

export const adyenCredentials: readonly PspCredentialField[] = [
  {
    name: 'api_key',
    label: 'API key',
    required: true,
    secret: true,
    meaning:
      'The API key of a web service credential with the Checkout webservice role: Customer Area, Developers, API credentials.',
  },
  {
    name: 'merchant_account',
    label: 'Merchant account',
    required: true,
    secret: false,
    meaning: 'The merchant account that is charged, as the Customer Area names it.',
  },
  {
    name: 'environment',
    label: 'Environment',
    required: false,
    secret: false,
    meaning: 'test or live. Without it: live where a live URL prefix is given, else test.',
  },
  {
    name: 'live_url_prefix',
    label: 'Live URL prefix',
    required: false,
    secret: false,
    meaning:
      "The prefix of the account's live endpoints, such as 1797a841fbb37ca7-AdyenDemo: Customer Area, Developers, API URLs. Required for live; always the same one, since each region has its own memory of charges.",
  },
  {
    name: 'hmac_key',
    label: 'HMAC keys',
    required: false,
    secret: true,
    meaning:
      'The HMAC keys of your webhooks in hexadecimal, separated by spaces: one for each webhook, and while a key is being changed the old one too. Without it no webhook is taken.',
  },
];

/** The account that a connection's credentials name. */
export interface AdyenAccount {
  readonly apiKey: string;
  readonly merchantAccount: string;
  readonly environment: 'test' | 'live';
  readonly liveUrlPrefix?: string;
  /** In hexadecimal; none where no webhooks are to be taken. */
  readonly hmacKeys: readonly string[];
}

/** `fault` says in a sentence what is wrong with the credentials; it repeats none. */
export type ReadAccount =
  | { readonly kind: 'account'; readonly account: AdyenAccount }
  | { readonly kind: 'fault'; readonly reason: string };

/** Reads a connection's credentials; a wrong one is said before anything is sent to Adyen. */
export function readAdyenAccount(credentials: PspCredentials): ReadAccount {
  const { api_key: apiKey, merchant_account: merchantAccount } = credentials;
  const { hmac_key: hmacKey, live_url_prefix: liveUrlPrefix } = credentials;
  if (!apiKey) return fault('api_key is missing.');
  if (!merchantAccount) return fault('merchant_account is missing.');
  const environment = credentials.environment || (liveUrlPrefix ? 'live' : 'test');
  if (environment !== 'test' && environment !== 'live') {
    return fault('environment is neither test nor live.');
  }
  // It becomes the beginning of a host name: nothing in it may lead to another host.
  if (liveUrlPrefix && !/^[A-Za-z0-9-]{1,63}$/.test(liveUrlPrefix)) {
    return fault('live_url_prefix holds more than letters, digits and hyphens.');
  }
  if (environment === 'live' && !liveUrlPrefix) return fault('live_url_prefix is missing.');
  const hmacKeys = (hmacKey ?? '').split(/[\s,]+/).filter((key) => key !== '');
  // What is not hexadecimal would be read as an empty key, with which anybody can sign.
  if (!hmacKeys.every((key) => /^([0-9A-Fa-f]{2}){16,128}$/.test(key))) {
    return fault('hmac_key is not hexadecimal, or too short for a key of Adyen.');
  }
  return {
    kind: 'account',
    account: {
      apiKey,
      merchantAccount,
      environment,
      ...(liveUrlPrefix && { liveUrlPrefix }),
      hmacKeys,
    },
  };
}

function fault(reason: string): ReadAccount {
  return { kind: 'fault', reason };
}

/** Merchant accounts are named once in all of Adyen. */
export function adyenIdentity({ merchantAccount, environment }: AdyenAccount): PspIdentity {
  return { accountId: merchantAccount, mode: environment };
}
