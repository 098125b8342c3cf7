import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';

/** The disk of the embedded database; with a server of its own, that disk is that server's. */
export async function readDisk({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<
  { readonly freeBytes: number; readonly totalBytes: number } | undefined
> {
  if (databaseUrl !== undefined) return undefined;
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
