import { createStripeAdapter } from '../../../../src/psp/stripe/adapter.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../analytics-world.ts';
import { type StripeServer, startStripeServer } from '../stripe-server.ts';

/** The disputes listener with an account at a played Stripe, by the world's clock. */
export interface StripeDisputes {
  readonly world: AnalyticsWorld;
  readonly stripe: StripeServer;
  close(): Promise<void>;
}

export async function openStripeDisputes(): Promise<StripeDisputes> {
  const world = await openAnalyticsWorld();
  const stripe = await startStripeServer({ now: () => world.clock.now() });
  const adapter = createStripeAdapter({
    baseUrl: stripe.url,
    deadlineMs: 5_000,
    clock: world.clock,
  });
  world.accounts.set('stripe', adapter.connect(stripe.credentials));
  return {
    world,
    stripe,
    close: async () => {
      await adapter.close();
      await stripe.close();
      await world.close();
    },
  };
}
