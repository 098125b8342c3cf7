import { Worker } from 'node:worker_threads';

let script: Promise<Buffer> | undefined;

/**
 * The script that draws the reference page (Scalar's, as its package has it), gzipped: 1.3 MB. Read
 * when it is asked for first, and kept. Rejects where the package cannot be loaded; the next call tries
 * again.
 */
export function scalarScript(): Promise<Buffer> {
  script ??= readInThread().catch((error: unknown) => {
    script = undefined;
    throw error;
  });
  return script;
}

function readInThread(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url));
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without a script')));
  });
}
