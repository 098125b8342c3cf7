import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { secondMs } from '../../domain/clock.ts';
import type { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { findBinaries } from './binaries.ts';
import { asStartFailure, bringUp, type Running } from './bring-up.ts';
import { databaseName, databaseRole, ensureRoles, hasRoles, passwordOf } from './cluster.ts';
import { type DataDirLock, holdDataDirLock, type LockTarget } from './data-dir-lock.ts';
import { openDatabaseFolder } from './database-folder.ts';
import type { EmbeddedDeps } from './embedded-deps.ts';
import { findPostmaster, type Server, stopPostmaster } from './postmaster.ts';
import { serverSettings } from './server-settings.ts';
import { bySocketFile, socketFolderOf } from './socket-folder.ts';
import { Supervisor } from './supervisor.ts';

export interface EmbeddedServerInput {
  /** The data folder; made when it does not exist. */
  readonly dataDir: string;
  /** Settings of PostgreSQL beside or instead of ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where databases go whose data folder PostgreSQL's user cannot reach; as root only. */
  readonly awayDir?: string;
  /** A package of PostgreSQL's programs instead of the installed one. */
  readonly packageDir?: string;
}

export interface EmbeddedServer {
  /** For the database `recoup`, by its socket file where there is one; the same for the whole life of this server. */
  readonly connectionString: string;
  /** The folder of PostgreSQL's own files. */
  readonly dataPath: string;
  /** Whether the server ran already, left behind by a process that was killed. */
  readonly adopted: boolean;
  /** Stops the server; calls after the first wait for the same end. */
  stop(): Promise<void>;
  /** Called once when another Recoup has taken the folder while our server was down. */
  onExit(listener: (cause: AppError) => void): void;
}

const defaultAwayDir = '/var/lib/recoup';
/** A server that is up answers at once; one that goes down or up again needs some seconds. */
const takeWithinMs = 30 * secondMs;
const takeStepMs = 50;

/**
 * The embedded PostgreSQL of a data folder, accepting connections and held for this process:
 * created on an empty folder, adopted where one runs without an owner, else started, with recovery
 * after a crash. From then on it is watched and started again when it ends.
 *
 * @throws AppError data_dir_in_use, data_dir_unusable, database_start_failed
 */
export async function startEmbeddedServer(
  deps: EmbeddedDeps,
  input: EmbeddedServerInput,
): Promise<EmbeddedServer> {
  try {
    const server = await serverOf(deps, input);
    const before = await findPostmaster(server);
    const password = await passwordOf(deps, server, before.kind === 'running');
    if (before.kind === 'stopped') await ensureRoles(deps, server);
    const { running, target, lock } = await takeServer(deps, server, password);
    const byTcp = `postgres://${databaseRole}:${password}@127.0.0.1:${running.port}/${databaseName}?sslmode=disable`;
    const how = running.adopted ? 'was still running' : 'runs';
    deps.log.info(`The embedded database ${how}: port ${running.port}, data in ${server.dir}.`);
    const supervisor = new Supervisor(deps, server, target, lock);
    return {
      connectionString: bySocketFile(byTcp, running.socketFolder),
      dataPath: server.dir,
      adopted: running.adopted,
      stop: () => supervisor.stop(),
      onExit: (listener) => supervisor.onExit(listener),
    };
  } catch (error) {
    throw asStartFailure(error);
  }
}

async function serverOf(deps: EmbeddedDeps, input: EmbeddedServerInput): Promise<Server> {
  const dataDir = resolve(input.dataDir);
  const binaries = await findBinaries(input.packageDir);
  const awayDir = input.awayDir ?? defaultAwayDir;
  const cluster = await openDatabaseFolder(deps, { dataDir, awayDir, binaries });
  return {
    ...cluster,
    ...present({ socketFolder: await socketFolderOf(cluster) }),
    logFile: join(dataDir, 'postgres.log'),
    settings: { ...serverSettings, ...input.settings },
  };
}

interface Taken {
  readonly running: Running;
  readonly target: LockTarget;
  readonly lock: DataDirLock;
}

/**
 * Brings the server up and takes its folder. A server that was just going down when it was found,
 * or that restarts itself after a crash of one of its processes, is tried again.
 */
async function takeServer(deps: EmbeddedDeps, server: Server, password: string): Promise<Taken> {
  const limit = AbortSignal.timeout(takeWithinMs);
  let startedPid: number | undefined;
  let triedRoles = false;
  for (;;) {
    const found = await bringUp(deps, server);
    if (!found.adopted) startedPid = found.pid;
    const running = { ...found, adopted: found.pid !== startedPid };
    const target = { port: running.port, user: databaseRole, password, dir: server.dir };
    try {
      const lock = await holdDataDirLock(target);
      const why = await reasonToRestart(server, running, { triedRoles });
      if (why === undefined) return { running, target, lock };
      deps.log.info(`The embedded database is restarted: ${why}.`);
      await stopPostmaster(server);
      await lock.release();
      triedRoles = true;
      await ensureRoles(deps, server);
    } catch (error) {
      const { code } = asStartFailure(error);
      if (code !== 'database_start_failed' || limit.aborted) {
        if (!running.adopted && code !== 'data_dir_in_use') await stopPostmaster(server);
        throw error;
      }
      await delay(takeStepMs);
    }
  }
}

/** Why a running server is not served from as it is. */
async function reasonToRestart(
  server: Server,
  running: Running,
  { triedRoles }: { readonly triedRoles: boolean },
): Promise<string | undefined> {
  // Its programs may be gone from the disk.
  if (!running.sameProgram) return 'it belongs to another installation';
  // Left behind by a version that had none; they are made while no server runs.
  if (!triedRoles && !(await hasRoles(server))) return 'its roles are missing';
  return undefined;
}
