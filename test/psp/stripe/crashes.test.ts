import { onTestFinished } from 'vitest';
import { createStripeAdapter } from '../../../src/psp/stripe/adapter.ts';
import { startStripeServer } from '../../kits/psps/stripe-server.ts';
import { describeCrashes } from '../crashes.ts';

describeCrashes('Stripe', async (clock) => {
  const server = await startStripeServer({ now: () => clock.now() });
  onTestFinished(() => server.close());
  const { url: baseUrl, credentials, methods } = server;
  return {
    adapter: createStripeAdapter({ baseUrl, deadlineMs: 5_000, clock }),
    credentials,
    methods,
    charges: () => server.charges(),
  };
});
