import type { Identity } from '../../recovery/people/people-api.ts';

/** What one sign-in is held together by, from its beginning to its end. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636): whoever has the code alone can do nothing with it. */
  readonly verifier: string;
}

/** Why nobody is signed in, as the dashboard puts it in words. */
export type SignInFailure =
  /** It took too long, or another browser began it. */
  | 'expired'
  /** The person, or the provider, said no. */
  | 'refused'
  | 'unreachable'
  /** What it said does not hold: a signature, a nonce, a time. */
  | 'invalid'
  /** The provider does not vouch for an address. */
  | 'no_email'
  | 'unknown'
  /** The operator of this address signs in as somebody else there. */
  | 'of_another';

export type SignInResult =
  | { readonly kind: 'identity'; readonly identity: Identity }
  | { readonly kind: 'failed'; readonly failure: SignInFailure };

/** Where operators sign in, other than here. */
export interface SignInProvider {
  /** What the button says after "Sign in with". */
  readonly name: string;
  /** Where the browser goes; undefined while the provider does not answer. */
  begin(secrets: SignInSecrets, redirectUri: string): Promise<URL | undefined>;
  /** Who came back to `cameTo`, the redirect address with what the provider added. */
  finish(secrets: SignInSecrets, cameTo: URL): Promise<SignInResult>;
}
