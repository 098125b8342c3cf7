import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a process answers: each name with its input and its result. */
export type Calls = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Undefined for a call that takes nothing. */
type InputOf<Call extends Calls[string]> =
  Parameters<Call> extends [] ? undefined : Parameters<Call>[0];

/** A process of its own, asked over Node's message channel. */
export interface Child<Served extends Calls> {
  readonly pid: number;
  call<Name extends keyof Served & string>(
    name: Name,
    input: InputOf<Served[Name]>,
  ): Promise<Awaited<ReturnType<Served[Name]>>>;
  /** Ends it; calls under way are refused. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Ask {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: string };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A process that has not ended by then holds on to something: it is killed. */
const endWithinMs = 15_000;

let started = 0;

/**
 * Starts `processes/<name>.ts`. It ends with this process, however this one ends. Where
 * BENCH_PROFILES names a folder, its CPU profile is left there.
 */
export function startChild<Served extends Calls>(name: string): Child<Served> {
  const path = fileURLToPath(new URL(`../processes/${name}.ts`, import.meta.url));
  const folder = process.env.BENCH_PROFILES;
  const execArgv =
    folder === undefined
      ? []
      : [
          '--cpu-prof',
          '--cpu-prof-dir',
          folder,
          '--cpu-prof-name',
          `${name}-${++started}.cpuprofile`,
        ];
  const child = fork(path, { serialization: 'advanced', execArgv });
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  child.on('message', (reply: Reply) => {
    const waiter = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('fault' in reply) waiter?.reject(new Error(`${name}: ${reply.fault}`));
    else waiter?.resolve(reply.result);
  });
  child.on('exit', (code, signal) => {
    const error = new Error(`the process ${name} ended (${signal ?? code})`);
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  });
  return {
    pid: child.pid ?? 0,
    call(callName, input) {
      asked += 1;
      const ask: Ask = { id: asked, name: callName, input };
      return new Promise((resolve, reject) => {
        waiting.set(ask.id, { resolve: resolve as Waiting['resolve'], reject });
        if (!child.connected) reject(new Error(`the process ${name} has ended`));
        else child.send(ask, (error) => error !== null && reject(error));
      });
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
  if (child.connected) child.disconnect();
  await exited;
  clearTimeout(timer);
}
