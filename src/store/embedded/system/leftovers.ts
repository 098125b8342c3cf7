import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EmbeddedDeps, randomHex } from '../embedded-deps.ts';
import { isAlive } from './os-user.ts';

/** A name beside `goal` for a folder in the making, which gets its final name once it is whole. */
export function workName(deps: Pick<EmbeddedDeps, 'random'>, goal: string): string {
  return `${goal}.new-${process.pid}-${randomHex(deps, 4)}`;
}

/**
 * Removes what processes that were killed were making for `goal`; it never held data. What a
 * program of theirs still writes to is left for the next time.
 */
export async function removeLeftovers(goal: string): Promise<void> {
  const parent = dirname(goal);
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name);
    const pid = /^\.new-(\d+)-[0-9a-f]{8}$/.exec(path.slice(goal.length))?.[1];
    if (!path.startsWith(goal) || pid === undefined || isAlive(Number(pid))) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
