import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '../../../src/domain/present.ts';
import { findBinaries } from '../../../src/store/embedded/binaries.ts';
import { startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts';
import { stopPostmaster } from '../../../src/store/embedded/postmaster.ts';
import { isAlive } from '../../../src/store/embedded/system/os-user.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { byTcp } from '../by-tcp.ts';
import { queryOnce } from '../query-once.ts';
import { temporaryFolder, temporaryFolders } from '../temporary-folder.ts';
import type { RunningCluster } from './running-cluster.ts';
import { databaseUrl } from './test-cluster.ts';

const template = 'recoup_template';
const folderShape = /^recoup-tests-(\d+)-/;
/** What a test loses in a crash of the machine is made again; speed is what counts. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Of each file that runs beside others a whole service, which asks for 63, and a pool of its own.
  max_connections: '400',
  // It may stand in memory.
  max_wal_size: '256MB',
};

/** A server of the run's own, in a folder outside the checkout: in memory where there is room. */
export async function startEmbeddedCluster(): Promise<RunningCluster> {
  const folder = await mkdtemp(join(temporaryFolder(), `recoup-tests-${process.pid}-`));
  // As root, the server's own user passes through.
  await chmod(folder, 0o711);
  const log = { info() {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const random = { bytes: (count: number) => randomBytes(count) };
  const server = await startEmbeddedServer({ log, random }, { dataDir: folder, settings });
  const connectionString = byTcp(server.connectionString);
  const sockets = new URL(server.connectionString).searchParams.get('host') ?? undefined;
  const close = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await keepPasswordCheap(connectionString);
    await queryOnce(connectionString, `create database ${template}`);
    const address = databaseUrl(connectionString, template);
    await migrate({ connectionString: address, clock: { now: () => new Date() } });
  } catch (error) {
    await close();
    throw error;
  }
  const cluster = {
    connectionString,
    nodes: [connectionString],
    template,
    ...present({ sockets }),
  };
  return { cluster, close };
}

/** Each of a run's thousands of connections would hash the password 4,096 times, as is right outside of tests. */
async function keepPasswordCheap(connectionString: string): Promise<void> {
  const { username, password } = new URL(connectionString);
  await queryOnce(
    connectionString,
    `set scram_iterations = 1; alter role ${username} password '${password}'`,
  );
}

/** Servers and folders of runs that were killed. */
export async function removeLeftovers(): Promise<void> {
  const binaries = await findBinaries();
  for (const folder of temporaryFolders()) {
    for (const name of await readdir(folder)) {
      const pid = folderShape.exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) continue;
      const leftover = join(folder, name);
      await stopPostmaster({ dir: join(leftover, 'database', 'cluster'), binaries });
      await rm(leftover, { recursive: true, force: true });
    }
  }
}
