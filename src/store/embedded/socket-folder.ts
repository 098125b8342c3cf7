import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cluster, letSocketFilesIn } from './cluster.ts';

/** `sun_path` of macOS holds 103 bytes, that of Linux 107; the name of a socket file takes 14 and a slash. */
const longestFolder = 88;
/** In a list of folders, PostgreSQL takes these for signs of its own. */
const signs = /[,"]/;

/**
 * The folder of the server's socket file, which its user alone may enter; made where it is not there. Undefined where
 * the system has none, the path is none for it, or somebody's own rules of access do not let us come by it: the
 * server is reached by TCP alone then.
 */
export async function socketFolderOf(cluster: Cluster): Promise<string | undefined> {
  const { folder, user } = cluster;
  const path = join(folder, 'sockets');
  if (process.platform === 'win32') return undefined;
  if (Buffer.byteLength(path) > longestFolder || signs.test(path)) return undefined;
  if (!(await letSocketFilesIn(cluster))) return undefined;
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (user !== undefined) await chown(path, user.uid, user.gid);
  return path;
}

/** A statement by way of a socket file takes less of both processors than one by TCP. */
export function bySocketFile(connectionString: string, socketFolder: string | undefined): string {
  if (socketFolder === undefined) return connectionString;
  const url = new URL(connectionString);
  url.searchParams.set('host', socketFolder);
  return url.href;
}
