import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll } from 'vitest';
import { findBinaries } from '../../../src/store/embedded/binaries.ts';
import type { EmbeddedDeps } from '../../../src/store/embedded/embedded-deps.ts';
import {
  type EmbeddedServer,
  type EmbeddedServerInput,
  startEmbeddedServer,
} from '../../../src/store/embedded/embedded-server.ts';
import { stopPostmaster } from '../../../src/store/embedded/postmaster.ts';
import { examineProcess, readPostmasterFile } from '../../../src/store/embedded/postmaster-file.ts';
import { canReach, type OsUser } from '../../../src/store/embedded/system/os-user.ts';

export const isRoot = process.getuid?.() === 0;
export const nobody: OsUser = { uid: 65534, gid: 65534, name: 'nobody' };
/** Whether a test can run this Node as another user: as root, in a checkout that others may enter. */
export const canSwitchUser = isRoot && (await canReach(process.execPath, nobody));

/** The data folder that the tests of one file share, one after the other: making one takes long. */
const shared = { world: undefined as World | undefined, dataDir: '' };

afterAll(() => shared.world?.end());

export interface ChildAnswer {
  readonly connectionString: string;
  readonly dataPath: string;
  readonly adopted: boolean;
  readonly code?: string;
  readonly message?: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  answer(): Promise<ChildAnswer>;
}

/** Folders, servers and processes of one test, all gone after `end`, also when the test failed. */
export class World {
  readonly messages: string[] = [];
  readonly #folders: string[] = [];
  readonly #children: Child[] = [];
  readonly #servers: EmbeddedServer[] = [];

  /** A folder that every user may pass through, so that as root the database is made in it. */
  async folder(mode = 0o755): Promise<string> {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'recoup-embedded-')));
    await chmod(path, mode);
    this.#folders.push(path);
    return path;
  }

  /** A data folder with a database that no server runs on, for the tests of this file in turn. */
  async dataDir(): Promise<string> {
    if (shared.world === undefined) {
      shared.world = new World();
      shared.dataDir = await shared.world.folder();
      await (await shared.world.start({ dataDir: shared.dataDir })).stop();
    }
    return shared.dataDir;
  }

  deps(bytes: (count: number) => Uint8Array = randomBytes): EmbeddedDeps {
    const note = (message: string) => {
      this.messages.push(message);
    };
    return { log: { info: note, warn: note }, random: { bytes } };
  }

  async start(input: EmbeddedServerInput, deps = this.deps()): Promise<EmbeddedServer> {
    const server = await startEmbeddedServer(deps, input);
    this.#servers.push(server);
    return server;
  }

  /** Starts a server in a process of its own, as `user` where one is given. */
  child(input: EmbeddedServerInput, user?: OsUser, env: Record<string, string> = {}): Child {
    const script = join(import.meta.dirname, 'child.ts');
    const child = spawn(process.execPath, [script, JSON.stringify(input)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: '/',
      env: { ...process.env, ...env },
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => {
      words += chunk.toString();
    });
    const started: Child = {
      process: child,
      ended,
      async answer() {
        const line = await lines.next();
        if (line.done) throw new Error(`The child ended without an answer: ${words}`);
        return JSON.parse(line.value) as ChildAnswer;
      },
    };
    this.#children.push(started);
    return started;
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      child.process.kill('SIGKILL');
      await child.ended;
    }
    for (const server of this.#servers) await server.stop();
    if (shared.dataDir !== '') await endServersBelow(shared.dataDir);
    for (const folder of this.#folders) {
      await endServersBelow(folder);
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** The process id of the server that runs on a folder of PostgreSQL's files. */
export async function serverPid(dataPath: string): Promise<number> {
  const file = await readPostmasterFile(dataPath);
  if (file === undefined) throw new Error(`No server runs on ${dataPath}.`);
  return file.pid;
}

/** Whether a server runs on a folder of PostgreSQL's files. */
export async function isServed(dataPath: string): Promise<boolean> {
  const pid = await serverPid(dataPath).catch(() => undefined);
  return pid !== undefined && (await isServer(dataPath, pid));
}

/** Whether a process is a server of that folder; one that only waits to be reaped is not. */
export async function isServer(dataPath: string, pid: number): Promise<boolean> {
  const binaries = await findBinaries();
  return (await examineProcess({ dir: dataPath, binaries }, pid)).kind === 'server';
}

/** Ends servers that tests left behind on purpose: only such as serve a folder of the test. */
async function endServersBelow(folder: string): Promise<void> {
  const binaries = await findBinaries();
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!entry.endsWith('postmaster.pid')) continue;
    const dir = join(folder, entry, '..');
    await stopPostmaster({ dir, binaries });
  }
}

/** Runs one statement on a connection of its own. */
export async function sql<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A folder below `parent` that belongs to `user`. */
export async function folderOf(user: OsUser, parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path);
  await chown(path, user.uid, user.gid);
  return path;
}

/** What a data folder holds, but for the copy of the programs that a closed checkout makes needed. */
export async function namesIn(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => !name.startsWith('postgresql-'));
}
