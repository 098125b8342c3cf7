import { randomFillSync } from 'node:crypto';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { type SandboxPsp, startSandboxPsp } from '../../src/psp/sandbox/server/sandbox-server.ts';
import { serve } from '../kit/serve.ts';

/** The sandbox PSP, its ledger in memory. */
let psp: SandboxPsp | undefined;

const calls = {
  async start(input: { readonly apiKey: string }) {
    psp = await startSandboxPsp(
      { clock: { now: () => new Date() }, random: pooledRandom(randomFillSync) },
      { host: '127.0.0.1', port: 0, apiKey: input.apiKey },
    );
    return { url: psp.url };
  },
};
export type PspCalls = typeof calls;

serve(calls, async () => psp?.close());
