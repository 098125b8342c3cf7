import { onTestFinished } from 'vitest';
import { createAdyenAdapter } from '../../../src/psp/adyen/adapter.ts';
import { startAdyenServer } from '../../kits/psps/adyen-server.ts';
import { describeCrashes } from '../crashes.ts';

describeCrashes('Adyen', async (clock) => {
  const server = await startAdyenServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, credentials, methods } = server;
  return {
    adapter: createAdyenAdapter({ baseUrl, deadlineMs: 5_000, clock }),
    credentials,
    methods,
    charges: () => server.charges(),
  };
});
