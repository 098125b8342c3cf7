import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/store/embedded/embedded-server.ts';
import { serve } from '../kit/serve.ts';

/** The embedded database as the service runs it, durable, in a folder that goes with it. */
let folder: string | undefined;
let server: EmbeddedServer | undefined;

const calls = {
  async start(settings: Readonly<Record<string, string>>) {
    folder = await mkdtemp(join(tmpdir(), 'recoup-bench-'));
    // As root, the database's own user passes through.
    await chmod(folder, 0o711);
    return open(folder, settings);
  },
  /** Ends it and starts it again: what a seeding left to be written is on the disk then. */
  async restart() {
    if (folder === undefined) throw new Error('the database was not started');
    await server?.stop();
    return open(folder, {});
  },
};
export type DatabaseCalls = typeof calls;

async function open(dataDir: string, settings: Readonly<Record<string, string>>) {
  const log = { info() {}, warn: (text: string) => process.stderr.write(`${text}\n`) };
  const random = { bytes: (count: number) => randomBytes(count) };
  server = await startEmbeddedServer({ log, random }, { dataDir, settings });
  const pidFile = await readFile(join(server.dataPath, 'postmaster.pid'), 'utf8');
  return {
    connectionString: server.connectionString,
    postmasterPid: Number(pidFile.split('\n')[0]),
    logFile: join(dataDir, 'postgres.log'),
  };
}

serve(calls, async () => {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});
