import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../test/kits/free-ports.ts';
import { type Program, startProgram } from '../test/kits/program.ts';
import { print } from './kit/report.ts';
import { median } from './kit/statistics.ts';

const rounds = 5;
const budgetMs = 3000;
const endWithinMs = 60_000;

/**
 * From the command to the words that it is ready, Node's own start and the embedded database included, on a folder that
 * is there; what the first start leaves (compiled code, the dashboard) is kept.
 */
export async function start(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-bench-'));
  // As root, the database's own user passes through.
  await chmod(folder, 0o711);
  try {
    const firstMs = await startOnce(folder);
    const tookMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) tookMs.push(await startOnce(folder));
    const tookMidMs = median(tookMs);
    print(
      `start: ${tookMidMs.toFixed(0)} ms until ready (budget ${budgetMs}: ` +
        `${tookMidMs <= budgetMs ? 'kept' : 'missed'}); on an empty folder ${firstMs.toFixed(0)} ms`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const startedAtMs = performance.now();
  const program = startProgram('node', ['src/main.ts'], {
    DATA_DIR: dataDir,
    ...freePorts,
    DRAIN_DELAY: '0s',
    LOG_LEVEL: 'warn',
  });
  try {
    await isReady(program);
    const tookMs = performance.now() - startedAtMs;
    program.signal('SIGTERM');
    await program.end(endWithinMs);
    return tookMs;
  } finally {
    await program.abandon();
  }
}

function isReady(program: Program): Promise<string> {
  return program.until(({ stdout }) =>
    stdout.includes('Recoup is running.') ? stdout : undefined,
  );
}
