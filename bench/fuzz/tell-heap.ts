import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before the fuzzed service (`node --expose-gc --import`): at each SIGUSR2 it says on stderr what its
 * heap holds once all garbage is gone. Its threads load this too, and have heaps of their own.
 */
const mebibyte = 1024 * 1024;
let told = 0;

function tellHeap(): void {
  // What the first one finalises is garbage of the second.
  global.gc?.();
  global.gc?.();
  told += 1;
  const heapMiB = Math.round((process.memoryUsage().heapUsed / mebibyte) * 10) / 10;
  process.stderr.write(`heap ${told}: ${heapMiB} MiB\n`);
}

if (isMainThread) process.on('SIGUSR2', tellHeap);
