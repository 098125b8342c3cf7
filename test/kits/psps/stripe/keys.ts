import type { WireAnswer } from './idempotency.ts';

/** The keys of the test server. A restricted one holds the permissions that its name lists. */
export const secretKey = 'sk_test_of_the_test_server';
export const publishableKey = 'pk_test_of_the_test_server';
export const connectedAccount = 'acct_connected';

/** A restricted key with these permissions only, such as `charge_read`. */
export function restrictedKey(...permissions: readonly string[]): string {
  return `rk_test_${permissions.join('-')}`;
}

/** Why a request is not let in; undefined where it is. `known`: the secret keys of all accounts. */
export function keyFault(
  known: ReadonlySet<string>,
  authorization: string | undefined,
  account: string | undefined,
  method: string,
  path: string,
): WireAnswer | undefined {
  const key = authorization?.replace(/^Bearer /, '') ?? '';
  if (!known.has(key) && !key.startsWith('rk_test_')) {
    return refused(401, `Invalid API Key provided: ${key.slice(0, 8)}********`);
  }
  if (account !== undefined && account !== connectedAccount) {
    return refused(
      403,
      `The provided key does not have access to account '${account}'.`,
      'account_invalid',
    );
  }
  if (known.has(key)) return undefined;
  const named = (path.split('/')[2] ?? '').replace(/s$/, '');
  // Charges and refunds are one resource to Stripe's keys.
  const resource = named === 'refund' ? 'charge' : named;
  const permission = `${resource}_${method === 'GET' ? 'read' : 'write'}`;
  const held = key.replace('rk_test_', '').split('-');
  // Who may write may read.
  if (held.includes(permission) || held.includes(`${resource}_write`)) return undefined;
  return refused(
    403,
    [
      "The provided key 'rk_test_****' does not have the required permissions for this endpoint.",
      `Having the 'rak_${permission}' permission would allow this request to continue.`,
    ].join(' '),
  );
}

function refused(status: number, message: string, code?: string): WireAnswer {
  const error = { type: 'invalid_request_error', message, ...(code !== undefined && { code }) };
  return { status, body: { error } };
}
