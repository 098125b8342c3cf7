import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client';
import { present } from '../../domain/present.ts';
import { errorForLog } from '../../http/server/error-for-log.ts';
import type { HttpLog } from '../../http/server/http-log.ts';
import type { SignInProvider, SignInResult } from './sign-in-provider.ts';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly name?: string;
  /** The claim that is compared with operators' addresses. `email` counts only as a verified one. */
  readonly emailClaim: string;
}

const timeoutSeconds = 10;
/** Between the provider's clock and this machine's. */
const toleranceSeconds = 30;

/** Loaded by who has a provider: the library costs others nothing at start. */
const library = () => import('openid-client');

/**
 * Signing in at an OpenID Connect provider: authorization code with PKCE, state and nonce. What the provider is
 * like it says itself (discovery), and is asked for again after a failure.
 */
export function createOidcProvider(
  { log }: { readonly log: Pick<HttpLog, 'error'> },
  settings: OidcSettings,
): SignInProvider {
  let discovered: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    discovered ??= discover(settings).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
  const note = (error: unknown) =>
    log.error({ error: errorForLog(error) }, 'the OpenID Connect provider could not be asked');
  return {
    name: settings.name ?? new URL(settings.issuer).host,
    async begin({ state, nonce, verifier }, redirectUri) {
      try {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        return buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        });
      } catch (error) {
        note(error);
        return undefined;
      }
    },
    async finish({ state, nonce, verifier }, cameTo) {
      const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } = await library();
      try {
        const config = await configuration();
        const tokens = await authorizationCodeGrant(config, cameTo, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return { kind: 'failed', failure: 'invalid' };
        // Many providers put the address there alone.
        const isWhole = claims[settings.emailClaim] !== undefined;
        const asked = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
        const more = asked ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
        return identityOf(settings, claims, more);
      } catch (error) {
        if (error instanceof AuthorizationResponseError)
          return { kind: 'failed', failure: 'refused' };
        note(error);
        return { kind: 'failed', failure: isNetwork(error) ? 'unreachable' : 'invalid' };
      }
    },
  };
}

async function discover(settings: OidcSettings): Promise<Configuration> {
  const { allowInsecureRequests, clockTolerance, discovery } = await library();
  const { issuer, clientId, clientSecret } = settings;
  return await discovery(
    new URL(issuer),
    clientId,
    { [clockTolerance]: toleranceSeconds, ...present({ client_secret: clientSecret }) },
    await clientAuth(clientSecret),
    {
      timeout: timeoutSeconds,
      // The settings take http on loopback alone.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    },
  );
}

/** By the method that every provider takes unless it says otherwise (OpenID Connect Discovery 1.0, 3). */
async function clientAuth(secret: string | undefined): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await library();
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = methods.includes('client_secret_basic') ? basic : post;
    auth(server, ...rest);
  };
}

function identityOf(
  { emailClaim, issuer }: OidcSettings,
  claims: IDToken,
  more: Partial<UserInfoResponse>,
): SignInResult {
  const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
  const address = all[emailClaim];
  // Whoever may write any address into their account there would else be anybody here.
  const isVouched = emailClaim !== 'email' || all.email_verified === true;
  const email = typeof address === 'string' && isVouched ? address : undefined;
  const name = typeof all.name === 'string' ? all.name : undefined;
  return {
    kind: 'identity',
    identity: { issuer, subject: claims.sub, ...present({ email, name }) },
  };
}

/** Nothing came back, or nothing in time. */
function isNetwork(error: unknown): boolean {
  const { code, name, cause } = error as {
    readonly code?: string;
    readonly name?: string;
    readonly cause?: { readonly name?: string };
  };
  return (
    code === 'OAUTH_TIMEOUT' ||
    name === 'TimeoutError' ||
    (name === 'TypeError' && cause !== undefined)
  );
}
