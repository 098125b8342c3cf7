import { execFile, spawn } from 'node:child_process';
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { minuteMs, secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { Cluster } from './cluster.ts';
import { examineProcess, type PostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { settingArguments } from './server-settings.ts';
import { isAlive } from './system/os-user.ts';
import { poll } from './system/poll.ts';
import { complaintIn, identityOf, programEnvironment } from './system/run-program.ts';
import { oneLine } from './system/system-error.ts';

/** A cluster with all that its server is started with. */
export interface Server extends Cluster {
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Of its socket file; absent where it has none. */
  readonly socketFolder?: string;
}

/** As much of a server as it takes to recognise and stop it. */
export type ServerFiles = Pick<Cluster, 'dir' | 'binaries'>;

/** Recovery after a crash replays up to four gigabytes of log (max_wal_size); slow disks take minutes. */
const startWithinMs = 10 * minuteMs;
/** A fast shutdown writes what is in memory (128 MB); past this, recovery does it at next start. */
const fastStopWithinMs = 30 * secondMs;
/** An immediate shutdown takes five seconds at most before the server ends its own processes. */
const immediateStopWithinMs = 10 * secondMs;
/** One older log is kept beside the present one. */
const maxLogBytes = 10 * 1024 * 1024;

/** `stalePid` and `lastPort` are what a dead server's postmaster.pid still names. */
export type Found =
  | {
      readonly kind: 'running';
      readonly pid: number;
      readonly port: number;
      readonly socketFolder: string | undefined;
      readonly sameProgram: boolean;
    }
  | { readonly kind: 'stopped'; readonly stalePid?: number; readonly lastPort?: number };

/** The server that serves a cluster now, once it is neither starting nor stopping. */
export async function findPostmaster(server: Server, signal?: AbortSignal): Promise<Found> {
  const found = await poll(startWithinMs, () => lookForPostmaster(server), signal);
  return found ?? { kind: 'stopped' };
}

async function lookForPostmaster(server: Server): Promise<Found | undefined> {
  const file = await readPostmasterFile(server.dir);
  if (file === undefined) return { kind: 'stopped' };
  const { pid, port, socketFolder } = file;
  const stopped = { kind: 'stopped', stalePid: pid, ...present({ lastPort: port }) } as const;
  const examined = await examineProcess(server, pid);
  if (examined.kind === 'other') return stopped;
  if (port === undefined || !file.isReady) return undefined;
  if (examined.kind === 'unknown' && !(await listens(port))) return stopped;
  const sameProgram = examined.kind === 'unknown' || examined.sameProgram;
  return { kind: 'running', pid, port, socketFolder, sameProgram };
}

/** `held`: other processes of this cluster's server live, started beside us or left by a killed one. */
export type StartOutcome =
  | { readonly kind: 'ready'; readonly pid: number; readonly socketFolder: string | undefined }
  | { readonly kind: 'port_taken' }
  /** The folder is on a disk that takes no socket files, such as some that containers share. */
  | { readonly kind: 'no_socket_file' }
  | { readonly kind: 'held' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Starts a server on `port` and waits until it accepts connections, through a recovery too. */
export async function startPostmaster(
  server: Server,
  input: { readonly port: number; readonly stalePid?: number; readonly signal?: AbortSignal },
): Promise<StartOutcome> {
  const log = await openLog(server.logFile);
  const { size } = await log.stat();
  const child = spawnServer(server, log, input);
  let ended: string | undefined;
  child.on('error', (error) => {
    ended = oneLine(error);
  });
  child.once('exit', (status, by) => {
    ended = `It ended with ${by ?? `status ${status}`}.`;
  });
  try {
    const outcome = await poll(
      startWithinMs,
      async (): Promise<StartOutcome | undefined> => {
        if (ended !== undefined) return outcomeOf(await readFrom(server.logFile, size), ended);
        const file = await readPostmasterFile(server.dir);
        return file?.pid === child.pid && file?.isReady ? ready(file) : undefined;
      },
      input.signal,
    );
    if (outcome !== undefined) return outcome;
    throw new Error(`It was not ready after ${startWithinMs / minuteMs} minutes`);
  } catch (error) {
    // Not wanted any more, or not working: a server that nobody watches is not left behind.
    child.kill('SIGINT');
    await poll(fastStopWithinMs, async () => ended);
    throw error;
  } finally {
    await log.close();
  }
}

function spawnServer(
  server: Server,
  log: FileHandle,
  input: { readonly port: number; readonly stalePid?: number },
) {
  const settings = {
    hba_file: server.accessFile,
    unix_socket_directories: server.socketFolder ?? '',
    ...server.settings,
    port: String(input.port),
  };
  // PostgreSQL will not start while the process named by an old postmaster.pid lives, and leaves
  // out the one named here, meant for pg_ctl's parent (miscinit.c): the way to say that the id now
  // belongs to a stranger, with all other checks kept.
  const stale = input.stalePid === undefined ? {} : { PG_GRANDPARENT_PID: `${input.stalePid}` };
  const child = spawn(server.binaries.postgres, ['-D', server.dir, ...settingArguments(settings)], {
    cwd: server.dir,
    env: programEnvironment(stale),
    // A session of its own: Ctrl-C in the terminal is for us, who stop the server last.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.fd, log.fd],
    ...identityOf(server.user),
  });
  child.unref();
  return child;
}

function ready({ pid, socketFolder }: PostmasterFile): StartOutcome {
  return { kind: 'ready', pid, socketFolder };
}

function outcomeOf(logged: string, ended: string): StartOutcome {
  if (logged.includes('could not create any TCP/IP sockets')) return { kind: 'port_taken' };
  if (logged.includes('could not create any Unix-domain sockets')) {
    return { kind: 'no_socket_file' };
  }
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(logged)) {
    return { kind: 'held' };
  }
  return { kind: 'failed', reason: complaintIn(logged.trim() === '' ? ended : logged) };
}

/**
 * Stops the server of a cluster, whoever started it: fast, then at once, then by force; none of
 * them loses what was committed. Returns when its process is gone.
 */
export async function stopPostmaster(server: ServerFiles): Promise<void> {
  const file = await readPostmasterFile(server.dir);
  if (file === undefined || (await isGone(server, file.pid))) return;
  await sendSignal(server, file.pid, 'SIGINT');
  if (await waitUntilGone(server, file.pid, fastStopWithinMs)) return;
  await sendSignal(server, file.pid, 'SIGQUIT');
  if (await waitUntilGone(server, file.pid, immediateStopWithinMs)) return;
  await sendSignal(server, file.pid, 'SIGKILL');
  await waitUntilGone(server, file.pid, immediateStopWithinMs);
}

async function waitUntilGone(server: ServerFiles, pid: number, withinMs: number): Promise<boolean> {
  return (await poll(withinMs, async () => (await isGone(server, pid)) || undefined)) ?? false;
}

async function isGone(server: ServerFiles, pid: number): Promise<boolean> {
  return (await examineProcess(server, pid)).kind === 'other';
}

type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

async function sendSignal(server: ServerFiles, pid: number, signal: StopSignal): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; PostgreSQL's own are sent by its tool.
    const kill = ['kill', signal.slice('SIG'.length), String(pid)];
    await promisify(execFile)(server.binaries.pgCtl, kill).catch(() => {});
  } else if (isAlive(pid)) {
    process.kill(pid, signal);
  }
}

async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (entry) => entry.size,
    () => 0,
  );
  if (size > maxLogBytes) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

async function readFrom(path: string, offset: number): Promise<string> {
  const content = await readFile(path);
  return content.subarray(offset).toString('utf8');
}
