import { afterAll, beforeAll, inject, vi } from 'vitest';
import { askDoor } from './cluster/ask-door.ts';
import { copyPrepared } from './cluster/prepared-folder.ts';
import { makeDataDir, removeDataDir, removeLeftovers } from './data-dirs.ts';
import { freePorts } from './free-ports.ts';
import { type Exit, type Output, type Program, startProgram } from './program.ts';
import type { ServiceEntries } from './service-entries.ts';
import { serviceTestWithinMs } from './time-limit.ts';

export interface ServiceOptions {
  /** Default: a new folder. */
  readonly dataDir?: string;
  /** Settings beside or instead of the kit's: any free ports, and warnings only. */
  readonly env?: Readonly<Record<string, string>>;
  /** `npm`: as a user starts it. Default: `node src/main.ts`. */
  readonly command?: 'node' | 'npm';
}

/** A running service in a process of its own, with what it printed when it had started. */
export interface Service extends ServiceEntries {
  readonly pid: number;
  readonly dataDir: string;
  /** Where this process answers probes, whatever its roles. */
  readonly probeUrl: string;
  /** The demo merchant's server. */
  readonly demoUrl: string;
  /** The command lines that a first-time user is given, as they were printed. */
  readonly curlLines: readonly string[];
  /** From the start of the process until it said that it ran. */
  readonly startedAfterMs: number;
  readonly ended: Promise<Exit>;
  output(): Output;
  /** Resolves when it has printed a text like this, to its standard output or error. */
  printed(text: RegExp): Promise<string>;
  /** Asks it to end, as a terminal or a process manager does. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<Exit>;
  /** kill -9, which leaves the embedded server behind. */
  kill(): Promise<void>;
}

export interface Services {
  /** A new, empty data folder, gone at the end of the file. */
  dataDir(mode?: number): Promise<string>;
  /** Resolves when it says that it runs; rejects with its words when it does not start. */
  start(options?: ServiceOptions): Promise<Service>;
  /** Runs it until it ends by itself: for a start that has to fail. */
  run(options?: ServiceOptions): Promise<Exit>;
  /** Starts it and asks it to end as soon as it has printed a text like this. */
  cutShort(at: RegExp, options?: ServiceOptions): Promise<Exit>;
}

const endWithinMs = 120_000;

/**
 * For the top of a test file: its services, none of which outlives the file, whatever happens. `begin`: whether
 * a new folder has a database already, as migrations leave it, or nothing, which takes seconds more to start.
 */
export function useServices({
  begin = 'migrated',
}: {
  readonly begin?: 'migrated' | 'empty';
} = {}): Services {
  const programs: Program[] = [];
  const folders: string[] = [];
  vi.setConfig({ testTimeout: serviceTestWithinMs, hookTimeout: serviceTestWithinMs });
  beforeAll(removeLeftovers);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.abandon()));
    for (const folder of folders) await removeDataDir(folder);
  });

  async function dataDir(mode?: number): Promise<string> {
    const folder = await makeDataDir(mode);
    folders.push(folder);
    return folder;
  }

  async function newFolder({ env }: ServiceOptions): Promise<string> {
    const folder = await dataDir();
    if (begin === 'empty' || env?.DATABASE_URL !== undefined) return folder;
    await copyPrepared(await preparedFolder(), folder);
    return folder;
  }

  function launch(folder: string, { command = 'node', env }: ServiceOptions): Program {
    const args = command === 'npm' ? ['start'] : ['src/main.ts'];
    const program = startProgram(command, args, {
      DATA_DIR: folder,
      ...freePorts,
      DRAIN_DELAY: '0s',
      LOG_LEVEL: 'warn',
      // Building takes a core for a second; the tests of the dashboard ask for it.
      DASHBOARD: 'false',
      // How busy the machine is with other tests is not to change an answer.
      SHED_AT_DELAY: '0ms',
      ...env,
    });
    programs.push(program);
    return program;
  }

  return {
    dataDir,
    async start(options = {}) {
      const folder = options.dataDir ?? (await newFolder(options));
      const startedAtMs = performance.now();
      const program = launch(folder, options);
      const isWhole = options.env?.ROLES === undefined;
      const banner = await program.until(({ stdout }) =>
        isBanner(stdout, isWhole) ? stdout : undefined,
      );
      const startedAfterMs = performance.now() - startedAtMs;
      return {
        ...entriesOf(banner, options),
        ...controlsOf(program),
        dataDir: folder,
        startedAfterMs,
      };
    },
    async run(options = {}) {
      const program = launch(options.dataDir ?? (await newFolder(options)), options);
      return program.end(endWithinMs);
    },
    async cutShort(at, options = {}) {
      const program = launch(options.dataDir ?? (await newFolder(options)), options);
      await program.until(({ stderr }) => at.exec(stderr)?.[0]);
      program.signal('SIGTERM');
      return program.end(endWithinMs);
    },
  };
}

let asked: Promise<string> | undefined;

/** Of the run: made when the first test asks for it. */
function preparedFolder(): Promise<string> {
  asked ??= askDoor(inject('preparedFolderUrl'));
  return asked;
}

/** Whether all is there that a service prints once it runs. */
function isBanner(stdout: string, isWhole: boolean): boolean {
  return isWhole
    ? /^curl .*\/v1\/analytics\/ .*\n/m.test(stdout)
    : /Recoup is running\.\n\n(?:[\s\S]*\n)?$/.test(stdout);
}

/** What the banner says. An address that it does not have is empty: no call to it succeeds. */
function entriesOf(banner: string, { env }: ServiceOptions) {
  const entry = (name: string): string =>
    new RegExp(`^ {2}${name}: +(\\S+)$`, 'm').exec(banner)?.[1] ?? '';
  return {
    recoveryUrl: entry('Recovery API'),
    disputesUrl: entry('Disputes API'),
    operatorUrl: entry('Operator API'),
    probeUrl: entry('Probes'),
    operatorToken: env?.OPERATOR_TOKEN ?? entry('Operator token'),
    demoUrl: entry('Demo merchant'),
    merchantId: entry('Merchant'),
    apiKey: entry('API key'),
    signingSecret: entry('Signing secret'),
    curlLines: banner.split('\n').filter((line) => line.startsWith('curl ')),
  };
}

/** What a service said that ended without being asked to: no test expects it, and calls fail then. */
async function reportUnaskedEnd(program: Program, wasAsked: () => boolean): Promise<void> {
  const { code, signal, stderr } = await program.ended;
  // SIGKILL is how the kit ends what a file leaves running.
  if (wasAsked() || signal === 'SIGKILL') return;
  process.stderr.write(`A service ended by itself (${signal ?? `code ${code}`}): ${stderr}\n`);
}

function controlsOf(program: Program) {
  let isAsked = false;
  void reportUnaskedEnd(program, () => isAsked);
  return {
    pid: program.pid,
    ended: program.ended,
    output: program.output,
    printed: (text: RegExp) =>
      program.until(({ stdout, stderr }) => text.exec(stdout)?.[0] ?? text.exec(stderr)?.[0]),
    async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') {
      isAsked = true;
      program.signal(signal);
      return program.end(endWithinMs);
    },
    async kill() {
      program.signal('SIGKILL');
      await program.ended;
    },
  };
}
