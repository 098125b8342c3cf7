import { type ChildProcess, fork } from 'node:child_process';
import { type FaultCluster, startFaultCluster } from '../database/fault-cluster.ts';
import type { SeedReport } from './seed-report.ts';

export interface SeedOrder {
  readonly seed: number;
  readonly days: number;
  readonly payments: number;
}

/** A failure is one of the simulator's own: the seed told nothing. */
export type SeedReply = SeedReport | { readonly seed: number; readonly failure: string };

export interface RunSeedsInput {
  readonly workers: number;
  /** The next one to play; undefined where it is enough. */
  readonly next: () => SeedOrder | undefined;
  readonly onReply: (reply: SeedReply) => void;
}

/**
 * Plays seeds in processes of their own, each on a server of its own: whose transactions are open in one
 * database decides when pages of another are tidied, and so in which order rows come.
 */
export async function runSeeds({ workers, next, onReply }: RunSeedsInput): Promise<void> {
  const clusters: FaultCluster[] = [];
  try {
    for (let index = 0; index < workers; index += 1) clusters.push(await startFaultCluster());
    await Promise.all(
      clusters.map(({ connectionString }) => runWorker(connectionString, next, onReply)),
    );
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.close()));
  }
}

/**
 * A seed makes much garbage that is dead soon: a large young generation is collected rarely, and on one
 * thread, since each core plays seeds of its own.
 */
const heapOptions = ['--max-semi-space-size=64', '--single-threaded-gc'];

function runWorker(
  connectionString: string,
  next: RunSeedsInput['next'],
  onReply: RunSeedsInput['onReply'],
): Promise<void> {
  const path = new URL('./seed-worker.ts', import.meta.url);
  const worker: ChildProcess = fork(path, [connectionString], {
    execArgv: [...process.execArgv, ...heapOptions],
  });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: SeedReply | 'ready') => {
      if (message !== 'ready') onReply(message);
      worker.send(next() ?? 'end');
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`a process that plays seeds ended with ${code}`));
    });
  });
}
