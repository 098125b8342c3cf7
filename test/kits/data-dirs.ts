import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from '../../src/store/embedded/binaries.ts';
import { databaseName, databaseRole } from '../../src/store/embedded/cluster.ts';
import { findFolder } from '../../src/store/embedded/new-folder.ts';
import { stopPostmaster } from '../../src/store/embedded/postmaster.ts';
import { examineProcess, readPostmasterFile } from '../../src/store/embedded/postmaster-file.ts';
import { isAlive } from '../../src/store/embedded/system/os-user.ts';
import { temporaryFolder, temporaryFolders } from './temporary-folder.ts';

const folderShape = /^recoup-e2e-(\d+)-/;

/** A new folder for a service's data that PostgreSQL's own user may pass through by default. */
export async function makeDataDir(mode = 0o711): Promise<string> {
  const base = join(temporaryFolder(), `recoup-e2e-${process.pid}-`);
  const folder = await realpath(await mkdtemp(base));
  await chmod(folder, mode);
  return folder;
}

/** Ends the embedded server of a data folder, where one was left, and removes all of the folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const folder = await findFolder(dataDir).catch(() => undefined);
  if (folder !== undefined) {
    await stopPostmaster({ dir: join(folder, 'cluster'), binaries: await findBinaries() });
    // As root it may lie elsewhere, with only a link in the data folder.
    await rm(folder, { recursive: true, force: true });
  }
  await rm(dataDir, { recursive: true, force: true });
}

/** Removes the folders, and ends the servers, of test runs that were killed. */
export async function removeLeftovers(): Promise<void> {
  for (const folder of temporaryFolders()) {
    for (const name of await readdir(folder)) {
      const pid = folderShape.exec(name)?.[1];
      if (pid !== undefined && !isAlive(Number(pid))) await removeDataDir(join(folder, name));
    }
  }
}

/** The process id of the embedded server that runs on a data folder. */
export async function findDatabase(dataDir: string): Promise<number | undefined> {
  const dir = await clusterDir(dataDir);
  const file = await readPostmasterFile(dir);
  if (file === undefined) return undefined;
  const examined = await examineProcess({ dir, binaries: await findBinaries() }, file.pid);
  return examined.kind === 'server' ? file.pid : undefined;
}

/** kill -9 of the embedded server of a data folder, and of no other process. */
export async function killDatabase(dataDir: string): Promise<void> {
  const pid = await findDatabase(dataDir);
  if (pid === undefined) throw new Error(`No server runs on ${dataDir}.`);
  process.kill(pid, 'SIGKILL');
}

/** How to connect to the embedded server of a data folder as the service does. */
export async function connectionStringOf(dataDir: string): Promise<string> {
  const dir = await clusterDir(dataDir);
  const password = (await readFile(join(dir, '..', 'password'), 'utf8')).trim();
  const port = (await readPostmasterFile(dir))?.port;
  if (port === undefined) throw new Error(`No server runs on ${dataDir}.`);
  return `postgres://${databaseRole}:${password}@127.0.0.1:${port}/${databaseName}?sslmode=disable`;
}

async function clusterDir(dataDir: string): Promise<string> {
  return join((await findFolder(dataDir)) ?? join(dataDir, 'database'), 'cluster');
}
