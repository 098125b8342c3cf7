import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Other processes cannot signal us; a build takes seconds. */
const lookAgainMs = 200;

/**
 * Runs `work` while no other process holds the lock at `path`: several that start together would
 * build the same thing. The lock of a process that has died is taken over.
 */
export async function withBuildLock<Result>(
  input: { readonly path: string; readonly signal?: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const { path, signal } = input;
  await mkdir(dirname(path), { recursive: true });
  while (!(await take(path))) {
    signal?.throwIfAborted();
    await pause(lookAgainMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, process.pid.toString(), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  // An empty file is one that its holder writes just now.
  if (holder > 0 && !isAlive(holder)) await rm(path, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
