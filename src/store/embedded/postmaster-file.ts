import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.ts';
import { isAlive } from './system/os-user.ts';

/**
 * postmaster.pid of a data folder, as a running server keeps it. Source: PostgreSQL 18, pidfile.h:
 * line 1 process id, 4 port, 5 folder of socket files, 8 status; the later lines appear while the server starts.
 */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number | undefined;
  /** Undefined where it has none. */
  readonly socketFolder: string | undefined;
  readonly isReady: boolean;
}

export async function readPostmasterFile(dir: string): Promise<PostmasterFile | undefined> {
  const content = await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '');
  return parsePostmasterFile(content);
}

export function parsePostmasterFile(content: string): PostmasterFile | undefined {
  const lines = content.split('\n');
  // The single-user mode writes its process id with a minus sign.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  const port = Number(lines[3]);
  return {
    pid,
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    socketFolder: lines[4]?.trim() || undefined,
    isReady: lines[7]?.trim() === 'ready',
  };
}

/**
 * What the process with an id from an old postmaster.pid is today. Ids are reused, soonest in a
 * container: `server` is a PostgreSQL that serves this very folder, `sameProgram` when it was
 * started from the files that we would start. `unknown` is a live process that cannot be examined.
 */
export type ProcessKind =
  | { readonly kind: 'server'; readonly sameProgram: boolean }
  | { readonly kind: 'other' }
  | { readonly kind: 'unknown' };

export async function examineProcess(
  cluster: Pick<Cluster, 'dir' | 'binaries'>,
  pid: number,
): Promise<ProcessKind> {
  if (!isAlive(pid)) return { kind: 'other' };
  if (process.platform === 'win32') return { kind: 'unknown' };
  const commandLine = await commandLineOf(pid);
  if (!`${commandLine} `.includes(` -D ${cluster.dir} `)) return { kind: 'other' };
  return { kind: 'server', sameProgram: commandLine.startsWith(`${cluster.binaries.postgres} `) };
}

/** A process's program and arguments; empty for one that is gone or only waits to be reaped. */
async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ').trimEnd();
  }
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return ps.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
