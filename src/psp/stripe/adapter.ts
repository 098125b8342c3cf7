import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { createStripeAcceptance } from './acceptance.ts';
import { stripeCapabilities } from './capabilities.ts';
import { createStripeClient, createStripePool } from './client.ts';
import { stripeCredentials } from './credentials.ts';
import { createStripeEvidence } from './evidence.ts';
import { createStripeGateway } from './gateway.ts';

/** Stripe: each connection is an account of its own; all share one pool of kept connections. */
export function createStripeAdapter(options: AdapterOptions): PspAdapter {
  const { deadlineMs, clock } = options;
  const pool = createStripePool(options);
  return {
    capabilities: stripeCapabilities,
    credentialFields: stripeCredentials,
    connect(credentials) {
      const { account } = credentials;
      const client = createStripeClient(pool, {
        secretKey: credentials.secret_key ?? '',
        ...(account !== undefined && account !== '' && { account }),
      });
      return {
        ...createStripeGateway({ client, clock, credentials, deadlineMs }),
        evidence: createStripeEvidence({ client, deadlineMs }),
        acceptance: createStripeAcceptance({ client, deadlineMs }),
      };
    },
    close: () => pool.close(),
  };
}
