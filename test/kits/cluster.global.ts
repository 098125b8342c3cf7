import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
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
    /** Connection string of the run's cluster, for making databases in it. */
    testCluster: string;
    /** The migrated database that every test database is a copy of. */
    testTemplate: string;
  }
}

const templateName = 'recoup_template';

const folderShape = /^recoup-tests-(\d+)-/;
/** What a test loses in a crash of the machine is made again; speed is what counts. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

let folder: string | undefined;
let server: EmbeddedServer | undefined;

/** Before the run's first test: one cluster, in a folder outside the checkout, and its template. */
export async function setup(project: TestProject): Promise<void> {
  await removeLeftovers();
  folder = await mkdtemp(join(tmpdir(), `recoup-tests-${process.pid}-`));
  // As root, the server's own user passes through.
  await chmod(folder, 0o711);
  try {
    const log = { info() {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
    const random = { bytes: (count: number) => randomBytes(count) };
    server = await startEmbeddedServer({ log, random }, { dataDir: folder, settings });
    await makeTemplate(server.connectionString);
    project.provide('testCluster', server.connectionString);
    project.provide('testTemplate', templateName);
  } catch (error) {
    await teardown();
    throw error;
  }
}

/** After the last test, also when tests failed. */
export async function teardown(): Promise<void> {
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
