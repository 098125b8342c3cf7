import { chown, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../domain/errors.ts';
import { systemErrorCode } from './system-error.ts';

/** An operating-system user that PostgreSQL runs as because we are root and it refuses root. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** In this order: the users made for PostgreSQL (Linux, macOS), then the one without rights. */
const candidates = ['postgres', '_postgres', 'nobody'];

/**
 * The user that a new database belongs to, or undefined when that is ourselves.
 *
 * @throws AppError database_start_failed when we are root and the machine has no such user
 */
export async function chooseDatabaseUser(): Promise<OsUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = parsePasswd(passwd);
  for (const name of candidates) {
    const user = users.get(name);
    if (user !== undefined) return user;
  }
  throw new AppError(
    'database_start_failed',
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.',
  );
}

/** Users by name; root and negative ids (nobody of macOS), which cannot be run as, are left out. */
export function parsePasswd(text: string): ReadonlyMap<string, OsUser> {
  const users = new Map<string, OsUser>();
  for (const line of text.split('\n')) {
    const [name, , uidText, gidText] = line.split(':');
    const uid = Number(uidText);
    const gid = Number(gidText);
    if (name && Number.isInteger(gid) && Number.isInteger(uid) && uid > 0) {
      users.set(name, { uid, gid, name });
    }
  }
  return users;
}

/** Whether `user` may pass through every folder above `path` and through `path` itself. */
export async function canReach(path: string, user: OsUser): Promise<boolean> {
  let here = await realpath(path);
  for (;;) {
    if (!mayPass(await stat(here), user)) return false;
    const parent = dirname(here);
    if (parent === here) return true;
    here = parent;
  }
}

/** The x bit that applies to `user`: the owner's, the group's or the others'. */
function mayPass(entry: { mode: number; uid: number; gid: number }, user: OsUser): boolean {
  if (entry.uid === user.uid) return (entry.mode & 0o100) !== 0;
  if (entry.gid === user.gid) return (entry.mode & 0o010) !== 0;
  return (entry.mode & 0o001) !== 0;
}

/** Whether a database of `user` can stand in `dir`: reachable, and on a disk that keeps owners. */
export async function canKeep(dir: string, user: OsUser): Promise<boolean> {
  if (!(await canReach(dir, user))) return false;
  const probe = join(dir, `probe-${process.pid}`);
  try {
    await mkdir(probe, { recursive: true });
    await chown(probe, user.uid, user.gid);
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}
