import type { MerchantAuth, MerchantSecrets } from '../domain/merchant.ts';
import type { Failure } from './outbound/failure.ts';
import { withoutTexts } from './without-texts.ts';

export type AuthHeaders =
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'unsendable'; readonly failure: Failure };

/** What a field of HTTP can carry: RFC 9110 section 5.5, in Latin-1. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers by which a merchant's server knows us: `x-api-key`, Basic, or none. */
export function authHeaders(auth: MerchantAuth): AuthHeaders {
  switch (auth.type) {
    case 'none':
      return { kind: 'headers', headers: {} };
    case 'api_key': {
      if (fieldValue.test(auth.api_key)) {
        return { kind: 'headers', headers: { 'x-api-key': auth.api_key } };
      }
      const detail = 'The stored api key holds a character that no HTTP header can carry.';
      return { kind: 'unsendable', failure: { cause: 'unauthorized', detail } };
    }
    case 'basic':
      return { kind: 'headers', headers: { authorization: `Basic ${basicOf(auth)}` } };
  }
}

// Shorter ones would blank out ordinary words, and are no secrets worth the name.
const minSecretLength = 6;

/** A text of the merchant's server without the credentials, and other secrets, that it may echo, escaped or not. */
export function withoutCredentials(
  text: string,
  secrets: MerchantSecrets,
  others: readonly string[] = [],
): string {
  const all = [...credentialsOf(secrets), ...others];
  const long = all.filter((secret) => secret.length >= minSecretLength);
  return withoutTexts(text, long, '[secret]');
}

function credentialsOf({ auth, signingSecrets }: MerchantSecrets): string[] {
  switch (auth.type) {
    case 'none':
      return [...signingSecrets];
    case 'api_key':
      return [auth.api_key, ...signingSecrets];
    case 'basic':
      return [basicOf(auth), auth.password, ...signingSecrets];
  }
}

/** RFC 7617, the credentials in UTF-8. */
function basicOf(auth: { readonly username: string; readonly password: string }): string {
  return Buffer.from(`${auth.username}:${auth.password}`, 'utf8').toString('base64');
}
