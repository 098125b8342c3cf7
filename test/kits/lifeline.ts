import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program that a test starts (`node --import`): ends the program when whoever
 * started it is gone, however that died. The parent holds the other end of the standard input. The
 * program's threads load this too; their standard input ends with each of them, and says nothing.
 */
function watchParent(): void {
  const end = () => process.kill(process.pid, 'SIGTERM');
  process.stdin.on('end', end).on('error', end).resume();
  // It must not keep a program alive that has nothing left to do.
  (process.stdin as { unref?: () => void }).unref?.();
}

// Threads load it too, and their standard input ends at once: a training would end the service.
if (isMainThread) watchParent();
