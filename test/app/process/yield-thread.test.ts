import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')(
  'a thread that yields takes a lower priority, and the process keeps its own',
  async () => {
    const before = getPriority();
    const path = new URL('../../../src/app/process/yield-thread.ts', import.meta.url).href;
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
       const { getPriority } = require('node:os');
       import(${JSON.stringify(path)}).then(({ yieldThread }) => {
         yieldThread();
         parentPort.postMessage(getPriority());
       });`,
      { eval: true },
    );
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    worker.once('message', resolve).once('error', reject);
    expect(await promise).toBe(Math.min(before + 10, 19));
    expect(getPriority()).toBe(before);
    await worker.terminate();
  },
);
