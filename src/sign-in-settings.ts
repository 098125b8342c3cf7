import { operatorRoles } from './domain/access/operators.ts';
import { optional, withDefault } from './setting.ts';
import { issuerUrl, line, oneOf } from './setting-values.ts';

/** Where operators sign in other than by tokens. */
export const signInSettings = {
  oidcIssuer: optional(issuerUrl, {
    env: 'OIDC_ISSUER',
    group: 'Signing in',
    defaultText: 'operators sign in by tokens alone',
    meaning:
      'The OpenID Connect provider where operators sign in to the dashboard. Register `<OPERATOR_URL>/api/sign-in/callback` there as the redirect address. Needs OIDC_CLIENT_ID, and OPERATOR_URL unless browsers use HOST and OPERATOR_PORT.',
  }),
  oidcClientId: optional(line, {
    env: 'OIDC_CLIENT_ID',
    group: 'Signing in',
    defaultText: 'none',
    meaning: "Recoup's id at the provider.",
  }),
  oidcClientSecret: optional(line, {
    env: 'OIDC_CLIENT_SECRET',
    group: 'Signing in',
    secret: true,
    defaultText: 'none: a public client, with PKCE alone',
    meaning: "Recoup's secret at the provider.",
  }),
  oidcName: optional(line, {
    env: 'OIDC_NAME',
    group: 'Signing in',
    defaultText: "the provider's host",
    meaning: "The provider's name on the button of the sign-in page.",
  }),
  oidcEmailClaim: withDefault(line, {
    env: 'OIDC_EMAIL_CLAIM',
    group: 'Signing in',
    default: 'email',
    meaning:
      "The claim that is compared with operators' e-mail addresses when they first sign in. `email` counts only with `email_verified`. Choose another claim only if nobody but the provider's administrators can set it.",
  }),
  oidcDefaultRole: optional(oneOf(operatorRoles), {
    env: 'OIDC_DEFAULT_ROLE',
    group: 'Signing in',
    defaultText: 'none: only people who were added may sign in',
    meaning:
      'The role, for all merchants, of anyone who signs in at the provider without having been added or removed before: they are added with it.',
  }),
};
