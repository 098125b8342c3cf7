import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OidcKit {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Accounts whose address the provider has not verified. */
  readonly unverified: Set<string>;
  close(): Promise<void>;
}

/**
 * An OpenID Connect provider on loopback, with its own pages: who signs in as `jane@example.com` is the subject
 * `sub-jane@example.com` of that address.
 */
export async function startOidcProvider(): Promise<OidcKit> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['recoup', 'a-secret-of-the-client'];
  const unverified = new Set<string>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        // A native client may come back to any port of loopback (RFC 8252, 7.3).
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/api/sign-in/callback'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: () => ({
        sub: login,
        email: login,
        email_verified: !unverified.has(login),
        name: 'Jane Doe',
      }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    unverified,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
