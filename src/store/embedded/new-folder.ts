import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import type { Binaries } from './binaries.ts';
import { clusterIn, createCluster } from './cluster.ts';
import { type EmbeddedDeps, randomHex } from './embedded-deps.ts';
import { syncFolder } from './system/durable-file.ts';
import { removeLeftovers, workName } from './system/leftovers.ts';
import { canKeep, type OsUser } from './system/os-user.ts';
import { oneLine, systemErrorCode } from './system/system-error.ts';

/** In the data folder: the database's folder, or a link to it where it had to be elsewhere. */
const folderName = 'database';

interface NewFolder {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly user: OsUser | undefined;
}

/**
 * Where the database of a data folder is, or undefined when it has none yet.
 *
 * @throws AppError data_dir_unusable when the data folder names one that is gone
 */
export async function findFolder(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, folderName);
  if ((await lstatOrNone(path)) === undefined) return undefined;
  try {
    return await realpath(path);
  } catch (error) {
    const reason = `The database of ${dataDir} is gone: ${oneLine(error)}.`;
    throw new AppError('data_dir_unusable', reason, { cause: error });
  }
}

/** A new database in the data folder itself. */
export async function createHere(deps: EmbeddedDeps, input: NewFolder): Promise<string> {
  const goal = join(await realpath(input.dataDir), folderName);
  const work = await createFolder(deps, goal, input);
  try {
    await rename(work, goal);
  } catch (error) {
    await remove(work);
    return await winnerOf(input.dataDir, error);
  }
  await syncFolder(input.dataDir);
  return goal;
}

/** A new database below `awayDir`, with a link in the data folder. */
export async function createAway(
  deps: EmbeddedDeps,
  input: NewFolder & { readonly awayDir: string },
): Promise<string> {
  const dataDir = await realpath(input.dataDir);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const base = join(await realpath(input.awayDir), name);
  const goal = `${base}-${randomHex(deps, 4)}`;
  const work = await createFolder(deps, base, input);
  try {
    await rename(work, goal);
    await syncFolder(input.awayDir);
    await symlink(goal, join(dataDir, folderName));
  } catch (error) {
    for (const path of [work, goal]) await remove(path);
    return await winnerOf(dataDir, error);
  }
  await syncFolder(dataDir);
  const who = `PostgreSQL runs as ${input.user?.name}, who cannot reach ${dataDir}`;
  deps.log.info(`${who}: the database is kept in ${goal}.`);
  await tellOfEarlier(deps, input.awayDir, goal, name);
  return goal;
}

/**
 * Makes `awayDir` ready for databases of `user`.
 *
 * @throws AppError data_dir_unusable
 */
export async function prepareAway(awayDir: string, user: OsUser): Promise<void> {
  try {
    const made = await mkdir(awayDir, { recursive: true });
    if (made !== undefined) await chmod(awayDir, 0o755);
    if (await canKeep(awayDir, user)) return;
  } catch (error) {
    const reason = `PostgreSQL runs as ${user.name} and needs ${awayDir}: ${oneLine(error)}.`;
    throw new AppError('data_dir_unusable', reason, { cause: error });
  }
  const reason = `PostgreSQL runs as ${user.name}, who reaches neither the data folder nor ${awayDir}.`;
  throw new AppError('data_dir_unusable', reason);
}

/** A Recoup that started at the same moment was faster: its database is the one. */
async function winnerOf(dataDir: string, error: unknown): Promise<string> {
  const winner = await findFolder(dataDir);
  if (winner === undefined) throw failedToCreate(dataDir, error);
  return winner;
}

/** A data folder was deleted, its database elsewhere was not: say where, since it may be missed. */
async function tellOfEarlier(
  deps: EmbeddedDeps,
  awayDir: string,
  goal: string,
  name: string,
): Promise<void> {
  for (const entry of await readdir(awayDir)) {
    const path = join(awayDir, entry);
    if (!entry.startsWith(`${name}-`) || path === goal) continue;
    deps.log.warn(`An earlier database of this data folder is still in ${path}.`);
  }
}

/** A whole database under a name of its own; it counts only once it has its final name. */
async function createFolder(deps: EmbeddedDeps, base: string, input: NewFolder): Promise<string> {
  const work = workName(deps, base);
  try {
    await removeLeftovers(base);
    await mkdir(work);
    // Another user's server must pass through, without reading what lies beside its own folder.
    await chmod(work, input.user === undefined ? 0o700 : 0o711);
    await createCluster(deps, clusterIn(work, input.binaries, input.user));
    return work;
  } catch (error) {
    await remove(work);
    if (error instanceof AppError) throw error;
    throw failedToCreate(input.dataDir, error);
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function failedToCreate(dataDir: string, error: unknown): AppError {
  const reason = `The embedded database of ${dataDir} could not be made: ${oneLine(error)}.`;
  return new AppError('database_start_failed', reason, { cause: error });
}

async function lstatOrNone(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
