import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command takes a second, many times as long on a busy machine. */
const hangsAfterMs = 120_000;
const folder = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program of src/cli as a child process with nothing of this one's settings. */
export async function runCli(
  program: 'recoup' | 'generate',
  args: readonly string[],
  input: { readonly env?: Readonly<Record<string, string>>; readonly stdin?: string } = {},
): Promise<CliRun> {
  const child = spawn(process.execPath, [`src/cli/${program}.ts`, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...input.env },
    timeout: hangsAfterMs,
  });
  child.stdin.end(input.stdin ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code ?? -1, stdout, stderr };
}
