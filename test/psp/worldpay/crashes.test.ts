import { onTestFinished } from 'vitest';
import { createWorldpayAdapter } from '../../../src/psp/worldpay/adapter.ts';
import { startWorldpayServer } from '../../kits/psps/worldpay-server.ts';
import { describeCrashes } from '../crashes.ts';

describeCrashes('Worldpay', async (clock) => {
  const server = await startWorldpayServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, credentials, methods } = server;
  return {
    adapter: createWorldpayAdapter({ baseUrl, deadlineMs: 5_000, clock }),
    credentials,
    methods,
    charges: () => server.charges(),
  };
});
