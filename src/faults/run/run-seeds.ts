import { type ChildProcess, fork } from 'node:child_process';
import { startFaultCluster } from '../database/fault-cluster.ts';
import { addDatabase } from './fault-rig.ts';
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

/** Plays seeds in processes of their own, each with a database of its own, on one server. */
export async function runSeeds({ workers, next, onReply }: RunSeedsInput): Promise<void> {
  const cluster = await startFaultCluster();
  try {
    const connections: string[] = [];
    for (let index = 0; index < workers; index += 1) {
      connections.push(await addDatabase(cluster, `faults_${index + 1}`));
    }
    await Promise.all(connections.map((connection) => runWorker(connection, next, onReply)));
  } finally {
    await cluster.close();
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
