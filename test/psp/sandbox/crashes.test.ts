import { createSandboxAdapter } from '../../../src/psp/sandbox/adapter.ts';
import { readLedger } from '../../kits/engine-faults.ts';
import { describeCrashes } from '../crashes.ts';
import { apiKey, methods, sandbox, seen } from './sandbox-kit.ts';

describeCrashes('the sandbox PSP', async () => {
  const psp = await sandbox();
  return {
    adapter: createSandboxAdapter({ baseUrl: psp.url, apiKey, deadlineMs: 5_000 }),
    credentials: {},
    methods,
    charges: async () => (await readLedger(psp.url)).map(seen),
  };
});
