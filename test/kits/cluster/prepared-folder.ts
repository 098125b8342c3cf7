import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { makeDataDir, removeDataDir } from '../data-dirs.ts';

/** Nobody waits for the disk: what a crash of the machine takes is made again. And as little log as can be, since it is copied too. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '32MB',
  min_wal_size: '32MB',
};

/** A data folder whose database is made and migrated, and which no service has used: copies of it start in half the time. */
export interface PreparedFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function prepareFolder(): Promise<PreparedFolder> {
  const path = await makeDataDir();
  const remove = () => removeDataDir(path);
  const log = { info() {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const random = { bytes: (count: number) => randomBytes(count) };
  try {
    const server = await startEmbeddedServer({ log, random }, { dataDir: path, settings });
    const { connectionString } = server;
    try {
      await migrate({ connectionString, clock: { now: () => new Date() } });
    } finally {
      await server.stop();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/**
 * The database of a prepared folder, put into an empty one with the owners of its files. Not where it lies
 * elsewhere and the folder has a link to it: a service makes its own then.
 */
export async function copyPrepared(path: string, dataDir: string): Promise<void> {
  const database = join(path, 'database');
  if (!(await lstat(database)).isDirectory()) return;
  await promisify(execFile)('cp', ['-a', database, dataDir]);
}
