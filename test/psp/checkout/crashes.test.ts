import { onTestFinished } from 'vitest';
import { createCheckoutAdapter } from '../../../src/psp/checkout/adapter.ts';
import { startCheckoutServer } from '../../kits/psps/checkout-server.ts';
import { describeCrashes } from '../crashes.ts';

describeCrashes('Checkout.com', async (clock) => {
  const server = await startCheckoutServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, credentials, methods } = server;
  return {
    adapter: createCheckoutAdapter({ baseUrl, deadlineMs: 5_000, clock }),
    credentials,
    methods,
    charges: () => server.charges(),
  };
});
