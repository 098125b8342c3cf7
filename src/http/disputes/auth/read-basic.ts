/** The two parts of an HTTP Basic credential (RFC 7617). */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** Longest header that is looked at; ours have below 200 characters. */
const headerLength = 1024;
const shape = /^basic +([A-Za-z0-9+/]*={0,2})$/i;

/** What an Authorization header carries; undefined where it is absent or malformed. */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined || header.length > headerLength) return undefined;
  const encoded = shape.exec(header)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  if (colon < 0 || !/^[ -~]*$/.test(text)) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
