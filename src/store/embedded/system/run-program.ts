import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { OsUser } from './os-user.ts';
import { oneLine } from './system-error.ts';

/** Variables without which programs do not start: the search path, and Windows' own. */
const passedOn = ['PATH', 'SystemRoot', 'SYSTEMROOT', 'windir', 'TEMP', 'TMP'];

/**
 * The environment of PostgreSQL's programs: English words, since we read them, and nothing of ours:
 * neither our secrets nor a PG… variable that would change what they do.
 */
export function programEnvironment(extra: Readonly<Record<string, string>> = {}) {
  const environment: Record<string, string> = { LC_ALL: 'C' };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...extra };
}

export function identityOf(user: OsUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}

/** Runs a program to its end, with `input` on its standard input; `output` is all that it wrote. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly user: OsUser | undefined; readonly cwd: string; readonly input?: string },
): Promise<{ readonly ok: boolean; readonly output: string }> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: programEnvironment(),
    windowsHide: true,
    ...identityOf(options.user),
  });
  const ended = new Promise<{ ok: boolean; failure: string }>((resolve) => {
    child.once('error', (error) => resolve({ ok: false, failure: oneLine(error) }));
    child.once('close', (status, signal) =>
      resolve({ ok: status === 0, failure: `It ended with ${signal ?? `status ${status}`}.` }),
    );
  });
  // A program that ends early closes its input; what it said about that is in its output.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [outcome, errors, words] = await Promise.all([
    ended,
    text(child.stderr).catch(() => ''),
    text(child.stdout).catch(() => ''),
  ]);
  const output = `${words}${errors}`;
  return { ok: outcome.ok, output: outcome.ok ? output : `${output}\n${outcome.failure}` };
}

const complaint = /(?:FATAL|PANIC|ERROR|error): +(.+)|(?<missing>error while loading .+)/;

/** What sessions are told that come before a server is ready. Our own pools ask all the while. */
const toldToSessions =
  /FATAL: +the database system is (?:starting up|not yet accepting connections|in recovery mode|shutting down)$/;

/** The line of a program's output that says why it failed: the first complaint, else the last. */
export function complaintIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !toldToSessions.test(line));
  for (const line of lines) {
    const found = complaint.exec(line);
    const words = found?.[1] ?? found?.groups?.missing;
    if (words !== undefined) return sentence(words);
  }
  return sentence(lines.findLast((line) => line !== '') ?? 'It said nothing');
}

function sentence(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}
