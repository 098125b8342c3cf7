import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxCharge } from '../../src/psp/sandbox/server/charge.ts';

/** Every charge in the sandbox PSP's own file below a data folder, the oldest first. */
export async function readLedgerFile(dataDir: string): Promise<readonly SandboxCharge[]> {
  const text = await readFile(join(dataDir, 'sandbox', 'charges.ndjson'), 'utf8');
  // What follows the last line break was torn by a kill, and never answered for.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as SandboxCharge);
}
