import { access, constants, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { type Binaries, usableBinaries } from './binaries.ts';
import { type Cluster, clusterIn } from './cluster.ts';
import type { EmbeddedDeps } from './embedded-deps.ts';
import { createAway, createHere, findFolder, prepareAway } from './new-folder.ts';
import { removeLeftovers } from './system/leftovers.ts';
import { canKeep, canReach, chooseDatabaseUser, type OsUser } from './system/os-user.ts';
import { oneLine, systemErrorCode } from './system/system-error.ts';

/**
 * The database of a data folder; an empty one gets a new database. As root, PostgreSQL runs as
 * another user; where that user cannot reach the data folder, the database is made below `awayDir`
 * and the data folder holds a link to it. Nothing that exists is ever replaced.
 *
 * @throws AppError data_dir_unusable, database_start_failed
 */
export async function openDatabaseFolder(
  deps: EmbeddedDeps,
  input: { readonly dataDir: string; readonly awayDir: string; readonly binaries: Binaries },
): Promise<Cluster> {
  const { dataDir, awayDir, binaries } = input;
  await openDataDir(dataDir);
  const existing = await findFolder(dataDir);
  if (existing !== undefined) {
    await removeLeftovers(existing.replace(/-[0-9a-f]{8}$/, ''));
    const user = await ownerOf(existing, binaries);
    const usable = await usableBinaries(deps, { binaries, user, copyDir: dirname(existing) });
    return clusterIn(existing, usable, user);
  }
  const user = await chooseDatabaseUser();
  const isHere = user === undefined || (await canKeep(dataDir, user));
  if (!isHere) await prepareAway(awayDir, user);
  const copyDir = isHere ? dataDir : awayDir;
  const usable = await usableBinaries(deps, { binaries, user, copyDir });
  const folder = isHere
    ? await createHere(deps, { dataDir, binaries: usable, user })
    : await createAway(deps, { dataDir, awayDir, binaries: usable, user });
  return clusterIn(folder, usable, user);
}

async function openDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = systemErrorCode(error);
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const why = isFile ? 'it is, or lies below, a file' : oneLine(error);
    const reason = `The data folder ${resolve(dataDir)} cannot be used: ${why}.`;
    throw new AppError('data_dir_unusable', reason, { cause: error });
  }
}

/** Whom an existing database belongs to, after a look at whether this version can serve it. */
async function ownerOf(folder: string, binaries: Binaries): Promise<OsUser | undefined> {
  const { dir } = clusterIn(folder, binaries, undefined);
  const unusable = (why: string) => new AppError('data_dir_unusable', `${dir} ${why}.`);
  const none = (error: unknown) => unusable(`holds no readable database: ${oneLine(error)}`);
  const { uid, gid } = await stat(dir).catch((error) => {
    throw none(error);
  });
  const ourUid = process.getuid?.();
  const isOurs = ourUid === undefined || uid === ourUid;
  if (!isOurs && ourUid !== 0) throw unusable(`belongs to the user with id ${uid}; start as that`);
  if (uid === 0 && ourUid === 0)
    throw unusable('belongs to root, as which PostgreSQL does not run');
  const major = await readFile(`${dir}/PG_VERSION`, 'utf8').catch((error) => {
    throw none(error);
  });
  if (major.trim() !== String(binaries.major)) {
    throw unusable(`is of PostgreSQL ${major.trim()}; this version brings ${binaries.major}`);
  }
  if (isOurs) return undefined;
  const user = { uid, gid, name: `the user with id ${uid}` };
  if (!(await canReach(dir, user))) throw unusable(`cannot be reached by ${user.name}, its owner`);
  return user;
}
