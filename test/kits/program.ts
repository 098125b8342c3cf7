import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Exit extends Output {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program in a process of its own, with all that it has printed. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<Exit>;
  output(): Output;
  /**
   * The first answer of `find` to what was printed so far, asked again at each new piece. Rejects
   * with the program's words when it ends, or when nothing fits in time.
   */
  until<Found extends object | string>(find: (output: Output) => Found | undefined): Promise<Found>;
  signal(signal: NodeJS.Signals): void;
  /** Waits for its end; one that takes longer is killed, which is an error. */
  end(withinMs: number): Promise<Exit>;
  /** Ends it and its own children, whatever state it is in. */
  abandon(): Promise<void>;
}

/** The longest wait for a line: a start on a busy machine with a database to make. */
const lineWithinMs = 90_000;
const repository = fileURLToPath(new URL('../..', import.meta.url));
const lifeline = `--import=${new URL('lifeline.ts', import.meta.url).href}`;

/**
 * Starts a command in the repository with nothing of this process's settings. One of Node or npm ends
 * with this process, also when this one is killed.
 */
export function startProgram(
  command: 'node' | 'npm' | 'bun' | 'deno' | 'workerd',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  const { PATH = '', HOME = '/', TMPDIR = '/tmp' } = process.env;
  const child = spawn(command === 'node' ? process.execPath : command, args, {
    cwd: repository,
    env: { PATH, HOME, TMPDIR, NODE_OPTIONS: lifeline, ...env },
  });
  const printed = gather(child);
  const ended = once(child, 'close').then(
    ([code, signal]): Exit => ({ code, signal, ...printed.output() }),
  );
  return {
    pid: child.pid ?? 0,
    ended,
    output: printed.output,
    until: printed.until,
    signal: (signal) => void child.kill(signal),
    async end(withinMs) {
      const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
      const exit = await ended;
      clearTimeout(late);
      if (exit.signal === 'SIGKILL') throw new Error(`It did not end: ${textOf(exit)}`);
      return exit;
    },
    async abandon() {
      // Children of npm are not killed with it: they see the end of the lifeline.
      child.stdin.destroy();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function gather(child: ChildProcess): Pick<Program, 'output' | 'until'> {
  const said = { stdout: '', stderr: '' };
  const looks = new Set<() => void>();
  let isOver = false;
  const lookAgain = (): void => {
    for (const look of looks) look();
  };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      lookAgain();
    });
  }
  child.stdin?.on('error', () => {});
  child.on('close', () => {
    isOver = true;
    lookAgain();
  });
  return {
    output: () => ({ ...said }),
    until: (find) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => give(undefined, 'Nothing came in time'), lineWithinMs);
        const look = (): void => {
          const found = find(said);
          if (found !== undefined || isOver) give(found, 'It ended');
        };
        function give(found: Parameters<typeof resolve>[0] | undefined, otherwise: string): void {
          clearTimeout(late);
          looks.delete(look);
          if (found === undefined) reject(new Error(`${otherwise}: ${textOf(said)}`));
          else resolve(found);
        }
        looks.add(look);
        look();
      }),
  };
}

function textOf({ stdout, stderr }: Output): string {
  return `${stdout}\n${stderr}`.trim();
}
