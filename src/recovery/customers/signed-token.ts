import { createHmac, timingSafeEqual } from 'node:crypto';

/** A text that names something of a merchant, as only this service could have written it. */
export interface SignedTokens {
  sign(merchantId: string, parts: readonly string[]): string;
  /** Undefined for what was not signed here, or for another use. */
  read(
    text: string,
  ): { readonly merchantId: string; readonly parts: readonly string[] } | undefined;
}

/** What tokens are signed for: one of a use is none of another. */
export type TokenUse = 'customer link, v1' | 'stop messages, v1' | 'bounced message, v1';

/** Longer ones are none of ours: two ids of 255 characters and their signature are shorter. */
const maxLength = 4_096;

/**
 * Tokens of one use: the base64url of a JSON list, a dot, and the base64url of its HMAC-SHA-256 under a
 * key of the merchant's own, which is derived from the service's.
 */
export function createSignedTokens(
  { hashCredential }: { readonly hashCredential: (text: string) => string },
  use: TokenUse,
): SignedTokens {
  function macOf(merchantId: string, body: string): Buffer {
    // No credential has a line break, so no hash of one is a key.
    const key = hashCredential(`${use}\n${merchantId}`);
    return createHmac('sha256', key).update(body).digest();
  }
  return {
    sign(merchantId, parts) {
      const body = Buffer.from(JSON.stringify([merchantId, ...parts])).toString('base64url');
      return `${body}.${macOf(merchantId, body).toString('base64url')}`;
    },
    read(text) {
      const [body, mac, ...rest] = text.length > maxLength ? [] : text.split('.');
      if (body === undefined || mac === undefined || rest.length > 0) return undefined;
      const named = namesIn(body);
      if (named === undefined) return undefined;
      const [merchantId, ...parts] = named;
      const given = Buffer.from(mac, 'base64url');
      const right = macOf(merchantId, body);
      const isOurs = given.length === right.length && timingSafeEqual(given, right);
      return isOurs ? { merchantId, parts } : undefined;
    },
  };
}

function namesIn(body: string): readonly [string, ...string[]] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return undefined;
    const [first, ...others] = value as readonly string[];
    return first === undefined ? undefined : [first, ...others];
  } catch {
    return undefined;
  }
}
