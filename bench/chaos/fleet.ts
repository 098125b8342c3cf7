import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const kits = new URL('../../test/kits/', import.meta.url);
const preloads = ['lifeline.ts', 'shifted-clock.ts'].map(
  (name) => `--import=${new URL(name, kits).href}`,
);
/** On a machine that is busy with other things, too. */
const startWithinMs = 300_000;

/** One process of the service, which may die and be started again any number of times. */
export interface Member {
  readonly name: string;
  readonly roles: string;
  /** Of the present life; undefined while it is down or starting. */
  urls: { readonly recovery: string; readonly operator: string } | undefined;
  isStopped: boolean;
  aheadMs: number;
  /** Lives, and what its log said in all of them. */
  lives: number;
  heldBack: number;
  takenAgain: number;
  jumps: number;
  /** Lines of level error. */
  readonly errors: string[];
}

export interface Fleet {
  readonly members: readonly Member[];
  start(member: Member): Promise<void>;
  /** kill -9 */
  kill(member: Member): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(member: Member): void;
  resume(member: Member): void;
  setClock(member: Member, aheadMs: number): void;
  /** Ends each child that there is, by its own id. */
  endAll(): Promise<void>;
}

export function createFleet(
  roles: readonly (readonly [name: string, roles: string])[],
  input: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Fleet {
  const children = new Map<Member, ChildProcess>();
  const members = roles.map(([name, own]): Member => {
    mkdirSync(join(input.folder, name), { recursive: true });
    return {
      name,
      roles: own,
      urls: undefined,
      isStopped: false,
      aheadMs: 0,
      lives: 0,
      heldBack: 0,
      takenAgain: 0,
      jumps: 0,
      errors: [],
    };
  });
  const clockFile = (member: Member) => join(input.folder, member.name, 'ahead-ms');

  function setClock(member: Member, aheadMs: number): void {
    member.aheadMs = aheadMs;
    writeFileSync(clockFile(member), String(aheadMs));
  }

  async function start(member: Member): Promise<void> {
    setClock(member, member.aheadMs);
    const { PATH = '', HOME = '/', TMPDIR = '/tmp' } = process.env;
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: repository,
      env: {
        PATH,
        HOME,
        TMPDIR,
        NODE_OPTIONS: preloads.join(' '),
        SHIFTED_CLOCK: clockFile(member),
        DATA_DIR: join(input.folder, member.name),
        ROLES: member.roles,
        ...input.env,
      },
    });
    children.set(member, child);
    member.lives += 1;
    readLog(member, child);
    const banner = await bannerOf(child);
    const entry = (name: string) => new RegExp(`^ {2}${name}: +(\\S+)$`, 'm').exec(banner)?.[1];
    member.urls = { recovery: entry('Recovery API') ?? '', operator: entry('Operator API') ?? '' };
  }

  async function kill(member: Member): Promise<void> {
    const child = children.get(member);
    member.urls = undefined;
    member.isStopped = false;
    if (child === undefined) return;
    children.delete(member);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  return {
    members,
    start,
    kill,
    setClock,
    pause(member) {
      member.isStopped = children.get(member)?.kill('SIGSTOP') ?? false;
    },
    resume(member) {
      children.get(member)?.kill('SIGCONT');
      member.isStopped = false;
    },
    async endAll() {
      await Promise.all(members.map(kill));
    },
  };
}

function readLog(member: Member, child: ChildProcess): void {
  let rest = '';
  child.stdin?.on('error', () => undefined);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.includes('"no work is taken"')) member.heldBack += 1;
      if (line.includes('"work is taken again"')) member.takenAgain += 1;
      if (line.includes("this machine's clock jumped")) member.jumps += 1;
      if (/"level":[56]0/.test(line) || !line.startsWith('{')) member.errors.push(line);
    }
  });
}

/** What a process prints when it runs; rejects where it ends, or is killed, before. */
function bannerOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('a process did not start')), startWithinMs);
    const end = (settle: () => void) => {
      clearTimeout(late);
      settle();
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (/Recoup is running\.\n\n(?:[\s\S]*\n)?$/.test(printed)) end(() => resolve(printed));
    });
    child.once('exit', () => end(() => reject(new Error(`a process ended: ${printed}`))));
  });
}
