import { isSameText } from './hmac.ts';
import { requireText } from './require-text.ts';

/** How the service proves itself to your server, as you agreed with its operator. */
export type MerchantAuth =
  | { readonly type: 'none' }
  /** Header `x-api-key`. Several keys: any of them will do, so that they can be rotated. */
  | { readonly type: 'api_key'; readonly apiKey: string | readonly string[] }
  /** HTTP Basic. */
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

/** Throws TypeError where credentials are not given: nobody may be let in for want of a key. */
export function requireCredentials(auth: MerchantAuth): void {
  switch (auth.type) {
    case 'none':
      return;
    case 'api_key':
      requireText('auth.apiKey', auth.apiKey);
      return;
    case 'basic':
      requireText('auth.username', auth.username);
      requireText('auth.password', auth.password);
  }
}

/** The 401 of a request whose credentials are not right; undefined for one whose are. */
export async function refusal(
  request: Request,
  auth: MerchantAuth,
): Promise<Readonly<Record<string, string>> | undefined> {
  switch (auth.type) {
    case 'none':
      return undefined;
    case 'api_key': {
      const given = request.headers.get('x-api-key') ?? '';
      // An absent key would be equal to an absent header.
      const keys = [auth.apiKey].flat().filter(Boolean);
      const checks = await Promise.all(keys.map((key) => isSameText(given, key)));
      return checks.includes(true) ? undefined : {};
    }
    case 'basic': {
      const [scheme = '', given = ''] = (request.headers.get('authorization') ?? '').split(' ');
      const expected = basicCredentials(auth.username, auth.password);
      const isRight = (await isSameText(given, expected)) && scheme.toLowerCase() === 'basic';
      return isRight ? undefined : { 'www-authenticate': 'Basic realm="recoup", charset="UTF-8"' };
    }
  }
}

/** RFC 7617: base64 of the user name, a colon and the password, in UTF-8. */
export function basicCredentials(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
