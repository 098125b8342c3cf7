import { randomBytes } from 'node:crypto';
import { startSandboxPsp } from '../../../src/psp/sandbox/server/sandbox-server.ts';

/** A sandbox PSP in a process of its own, for the test that kills it: prints its address. */
const psp = await startSandboxPsp(
  { clock: { now: () => new Date() }, random: { bytes: (count) => randomBytes(count) } },
  { host: '127.0.0.1', port: 0, apiKey: 'sandbox_key', ledgerDir: process.argv[2] ?? '' },
);
process.stdout.write(`${psp.url}\n`);
