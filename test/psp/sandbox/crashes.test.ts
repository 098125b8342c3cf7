import { createSandboxAdapter } from '../../../src/psp/sandbox/adapter.ts';
import { type CrashPsp, describeCrashes } from '../crashes.ts';
import { apiKey, call, methods, sandbox, seen } from './sandbox-kit.ts';

describeCrashes('the sandbox PSP', async (): Promise<CrashPsp> => {
  const psp = await sandbox();
  return {
    adapter: createSandboxAdapter({ baseUrl: psp.url, apiKey, deadlineMs: 5_000 }),
    credentials: {},
    methods,
    async chargesOf(invoiceId) {
      const answer = await call(psp.url, 'GET', `/v1/charges?invoice=${invoiceId}`);
      return answer.body.data.map(seen);
    },
  };
});
