import { chmod, chown, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { allRoles, createRoleSql } from '../wall/roles.ts';
import type { Binaries } from './binaries.ts';
import { type EmbeddedDeps, randomHex } from './embedded-deps.ts';
import { settingArguments } from './server-settings.ts';
import { syncFolder, writeSynced } from './system/durable-file.ts';
import type { OsUser } from './system/os-user.ts';
import { complaintIn, runProgram } from './system/run-program.ts';
import { oneLine, systemErrorCode } from './system/system-error.ts';

/** The role that we connect as, and its database: not a superuser, as on a server of one's own. */
export const databaseRole = 'recoup';
export const databaseName = 'recoup';

/**
 * One embedded database on disk: `dir` holds the server's own files, the password and the rules of
 * access beside them, where the server's user cannot change them.
 */
export interface Cluster {
  /** Holds all of it. */
  readonly folder: string;
  readonly dir: string;
  readonly passwordFile: string;
  readonly accessFile: string;
  /** Says which roles were made in it. */
  readonly rolesFile: string;
  readonly binaries: Binaries;
  /** Whom the server runs as; undefined for ourselves. */
  readonly user: OsUser | undefined;
}

export function clusterIn(folder: string, binaries: Binaries, user: OsUser | undefined): Cluster {
  return {
    folder,
    dir: join(folder, 'cluster'),
    passwordFile: join(folder, 'password'),
    accessFile: join(folder, 'pg_hba.conf'),
    rolesFile: join(folder, 'roles'),
    binaries,
    user,
  };
}

const passwordBytes = 32;

/**
 * Only our role, only from this machine, only with its password. The superuser that
 * initdb makes is in no rule: it exists for the single-user mode alone.
 */
const rulesOfTcp = `host all ${databaseRole} 127.0.0.1/32 scram-sha-256\n`;
const accessRules = `${rulesOfTcp}local all ${databaseRole} scram-sha-256\n`;

/** A rule by which our role comes by a socket file with its password. */
const ruleOfSocketFiles = new RegExp(
  `^\\s*local\\s+(?:all|${databaseName})\\s+(?:all|${databaseRole})\\s+(?:scram-sha-256|md5|password|trust)\\b`,
  'm',
);

/**
 * Whether the rules of access let our role come by a socket file, as a server reads them when it starts. Those that an
 * earlier version wrote are made to; those that somebody changed stay as they are.
 */
export async function letSocketFilesIn({ accessFile }: Cluster): Promise<boolean> {
  const rules = await readFile(accessFile, 'utf8').catch(() => '');
  if (rules !== rulesOfTcp) return ruleOfSocketFiles.test(rules);
  await writeDurably(accessFile, accessRules, 0o644);
  return true;
}

/**
 * Makes an empty database in the existing folder of `cluster`, our role and its password.
 *
 * @throws AppError database_start_failed
 */
export async function createCluster(deps: EmbeddedDeps, cluster: Cluster): Promise<void> {
  await mkdir(cluster.dir, { mode: 0o700 });
  if (cluster.user !== undefined) await chown(cluster.dir, cluster.user.uid, cluster.user.gid);
  // C.UTF-8 of PostgreSQL itself: sorting, and with it indexes, never changes with the machine's
  // libraries. Checksums are on by default since version 18.
  const made = await runProgram(
    cluster.binaries.initdb,
    [
      ...['-D', cluster.dir, '--username', 'postgres', '--auth', 'reject', '--encoding', 'UTF8'],
      ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      '--no-instructions',
    ],
    { user: cluster.user, cwd: cluster.dir },
  );
  if (!made.ok) {
    const reason = `The embedded database could not be made: ${complaintIn(made.output)}`;
    throw new AppError('database_start_failed', reason);
  }
  await writeDurably(cluster.accessFile, accessRules, 0o644);
  const password = randomHex(deps, passwordBytes);
  await runAlone(cluster, [
    `CREATE ROLE ${databaseRole} LOGIN CREATEDB IN ROLE pg_monitor PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseName} OWNER ${databaseRole}`,
    ...makeRoles,
  ]);
  await writeDurably(cluster.passwordFile, password, 0o600);
  await writeDurably(cluster.rolesFile, rolesText, 0o644);
}

/** Our role may not make roles: these are made as the superuser, and ours becomes a member. */
const makeRoles = [
  ...allRoles.map(createRoleSql),
  `GRANT ${allRoles.join(', ')} TO ${databaseRole}`,
];
const rolesText = `${allRoles.join('\n')}\n`;

/** Whether a cluster has the roles of this version; folders of earlier ones have none. */
export async function hasRoles(cluster: Cluster): Promise<boolean> {
  const made = await readFile(cluster.rolesFile, 'utf8').catch(() => '');
  return made === rolesText;
}

/** Makes the roles, while no server runs. A cluster where it fails serves without them. */
export async function ensureRoles(deps: EmbeddedDeps, cluster: Cluster): Promise<void> {
  if (await hasRoles(cluster)) return;
  try {
    await runAlone(cluster, makeRoles);
    await writeDurably(cluster.rolesFile, rolesText, 0o644);
  } catch (error) {
    deps.log.warn(`The roles of the embedded database were not made: ${oneLine(error)}.`);
  }
}

/**
 * The role's password. A lost one is replaced, which is possible while no server runs.
 *
 * @throws AppError database_start_failed
 */
export async function passwordOf(
  deps: EmbeddedDeps,
  cluster: Cluster,
  isRunning: boolean,
): Promise<string> {
  try {
    return (await readFile(cluster.passwordFile, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || isRunning) {
      const reason = `The password of the embedded database cannot be read: ${cluster.passwordFile}.`;
      throw new AppError('data_dir_unusable', reason, { cause: error });
    }
  }
  const password = randomHex(deps, passwordBytes);
  await runAlone(cluster, [`ALTER ROLE ${databaseRole} PASSWORD '${password}'`]);
  await writeDurably(cluster.passwordFile, password, 0o600);
  deps.log.warn(`The password of the embedded database was missing and has been replaced.`);
  return password;
}

/** Runs statements as the superuser in PostgreSQL's single-user mode, which asks no password. */
async function runAlone(cluster: Cluster, statements: readonly string[]): Promise<void> {
  // A failed statement must end the run, and must not be repeated in the output: it has a password.
  const settings = { exit_on_error: 'on', log_min_error_statement: 'panic' };
  const done = await runProgram(
    cluster.binaries.postgres,
    ['--single', '-D', cluster.dir, ...settingArguments(settings), 'postgres'],
    { user: cluster.user, cwd: cluster.dir, input: `${statements.join('\n')}\n` },
  );
  if (done.ok) return;
  const reason = `The embedded database could not be set up: ${complaintIn(done.output)}`;
  throw new AppError('database_start_failed', reason);
}

/** Readers see all of the file or none, after a power failure too. */
async function writeDurably(path: string, content: string, mode: number): Promise<void> {
  const work = `${path}.new`;
  await writeSynced(work, content, { flag: 'w', mode });
  await chmod(work, mode);
  await rename(work, path);
  await syncFolder(join(path, '..'));
}
