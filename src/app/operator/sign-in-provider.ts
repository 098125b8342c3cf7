import { present } from '../../domain/present.ts';
import { createOidcProvider } from '../../operator/sign-in/oidc-provider.ts';
import type { SignInProvider } from '../../operator/sign-in/sign-in-provider.ts';
import type { AppContext } from '../context.ts';

/** The provider of the settings; undefined where they name none. */
export function signInProviderOf({
  config,
  log,
}: Pick<AppContext, 'config' | 'log'>): SignInProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcEmailClaim: emailClaim } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const given = present({ clientSecret: config.oidcClientSecret, name: config.oidcName });
  return createOidcProvider({ log }, { issuer, clientId, emailClaim, ...given });
}
