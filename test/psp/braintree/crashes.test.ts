import { onTestFinished } from 'vitest';
import { createBraintreeAdapter } from '../../../src/psp/braintree/adapter.ts';
import { startBraintreeServer } from '../../kits/psps/braintree-server.ts';
import { describeCrashes } from '../crashes.ts';

describeCrashes('Braintree', async (clock) => {
  const server = await startBraintreeServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, credentials, methods } = server;
  return {
    adapter: createBraintreeAdapter({ baseUrl, deadlineMs: 5_000, clock }),
    credentials,
    methods,
    charges: () => server.charges(),
  };
});
