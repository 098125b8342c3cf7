import { notOffered } from '../../src/psp/not-offered.ts';
import { sandboxCapabilities } from '../../src/psp/sandbox/capabilities.ts';
import type { TestPspDeps } from '../../src/recovery/admin/psp-accounts.ts';
import type { SupportedPsps } from '../../src/recovery/operator-api.ts';

const secret = { required: true, secret: true, meaning: 'A secret of the account.' } as const;

/** What two PSPs' connections need, as the adapters say it. */
export const supportedPsps: SupportedPsps = {
  sandbox: [],
  stripe: [
    { name: 'secret_key', label: 'Secret key', ...secret },
    { name: 'webhook_secret', label: 'Webhook signing secret', ...secret },
  ],
};

/**
 * A PSP that refuses the key sk_refused, is away for sk_away, and takes every other one. It names
 * the account of a key such as sk_of_A_1: A.
 */
export const openGateway: TestPspDeps['openGateway'] = ({ credentials }) => ({
  ...notOffered,
  capabilities: sandboxCapabilities,
  charge: () => Promise.reject(new Error('nothing is charged here')),
  lookUp: () => Promise.reject(new Error('nothing is looked up here')),
  lookUpDispute: () => Promise.reject(new Error('no dispute is looked up here')),
  readWebhook: () => Promise.reject(new Error('nothing is received here')),
  async checkCredentials() {
    switch (credentials.secret_key) {
      case 'sk_refused':
        return { kind: 'refused', reason: 'The key was revoked.' };
      case 'sk_away':
        return { kind: 'unreachable', reason: 'connection refused' };
      default:
        return {
          kind: 'accepted',
          account: 'acct_1',
          ...(credentials.secret_key?.startsWith('sk_of_') && {
            accountId: credentials.secret_key.split('_')[2] ?? '',
          }),
        };
    }
  },
});
