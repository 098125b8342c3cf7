/** What an Idempotency-Key header says. */
export type KeyHeader =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'invalid' };

/** What the header may hold, in words for the user. */
export const idempotencyKeyText =
  'Input should be 1 to 255 visible ASCII characters, bare or in double quotes';

const visible = /^[\x21-\x7e]{1,255}$/;
const quoted = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/;

/**
 * Reads the header: a string of structured fields, `"abc"`, as the draft asks
 * (draft-ietf-httpapi-idempotency-key-header-07, 2.1), or the same key bare, as most clients send
 * it. Two headers arrive joined by a comma and a space, which no key holds.
 */
export function readIdempotencyKey(header: string | string[] | undefined): KeyHeader {
  if (header === undefined) return { kind: 'none' };
  if (typeof header !== 'string') return { kind: 'invalid' };
  if (!header.startsWith('"')) return checked(header);
  return quoted.test(header)
    ? checked(header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'))
    : { kind: 'invalid' };
}

function checked(key: string): KeyHeader {
  return visible.test(key) ? { kind: 'key', key } : { kind: 'invalid' };
}
