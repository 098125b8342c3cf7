import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findBinaries } from '../../src/store/embedded/binaries.ts';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/store/embedded/embedded-server.ts';
import { stopPostmaster } from '../../src/store/embedded/postmaster.ts';
import { isAlive } from '../../src/store/embedded/system/os-user.ts';
import { migrate } from '../../src/store/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the run's cluster (`TestCluster` as JSON), which starts when one does. */
    testClusterUrl: string;
  }
}

/** The run's cluster, and the migrated database in it that every test database is a copy of. */
export interface TestCluster {
  readonly connectionString: string;
  readonly template: string;
}

const templateName = 'recoup_template';

const folderShape = /^recoup-tests-(\d+)-/;
/** What a test loses in a crash of the machine is made again; speed is what counts. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

let asked: Promise<TestCluster> | undefined;
let folder: string | undefined;
let server: EmbeddedServer | undefined;
let door: Server | undefined;

/** Before the run's first test: a door to the cluster, so that pure tests start no database. */
export async function setup(project: TestProject): Promise<void> {
  await removeLeftovers();
  door = createServer((_, response) => {
    asked ??= startCluster();
    asked.then(
      (cluster) => response.end(JSON.stringify(cluster)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door?.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  project.provide('testClusterUrl', `http://127.0.0.1:${port}`);
}

/** One cluster, in a folder outside the checkout, and its template. */
async function startCluster(): Promise<TestCluster> {
  folder = await mkdtemp(join(tmpdir(), `recoup-tests-${process.pid}-`));
  // As root, the server's own user passes through.
  await chmod(folder, 0o711);
  const log = { info() {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const random = { bytes: (count: number) => randomBytes(count) };
  server = await startEmbeddedServer({ log, random }, { dataDir: folder, settings });
  await makeTemplate(server.connectionString);
  return { connectionString: server.connectionString, template: templateName };
}

/** After the last test, also when tests failed. */
export async function teardown(): Promise<void> {
  door?.closeAllConnections();
  door?.close();
  await asked?.catch(() => undefined);
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

async function makeTemplate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`create database ${templateName}`);
  } finally {
    await client.end();
  }
  const url = new URL(connectionString);
  url.pathname = `/${templateName}`;
  await migrate({ connectionString: url.href, clock: { now: () => new Date() } });
}

/** Servers and folders of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  const binaries = await findBinaries();
  for (const name of await readdir(tmpdir())) {
    const pid = folderShape.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const leftover = join(tmpdir(), name);
    await stopPostmaster({ dir: join(leftover, 'database', 'cluster'), binaries });
    await rm(leftover, { recursive: true, force: true });
  }
}
