import { hashOf } from '../schedule/draws.ts';
import type { Machine } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';

/** One HTTP request as it is on the wire; names of headers in lower case. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When its first byte was written. */
  readonly sentMs: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What goes wrong inside a server: `before`: it fails and does nothing; `after`: it does what it was
 * asked, and fails then.
 */
export type ServerFault = 'none' | 'error_before' | 'error_after';

/** A server outside: of a PSP or of a merchant. `undefined`: it breaks the connection off. */
export interface WireServer {
  handle(request: WireRequest, fault: ServerFault): WireAnswer | undefined;
}

/** What becomes of one exchange. Times in milliseconds; -1: never. */
export interface ExchangeFate {
  /** Until the connection is open; refused where `isRefused`. */
  readonly connectMs: number;
  readonly isRefused: boolean;
  readonly requestMs: number;
  /** A second arrival of the same bytes, so long after the first; -1 for none. */
  readonly againMs: number;
  readonly answerMs: number;
  readonly server: ServerFault;
  /** The connection is reset where an answer, or a request, is lost; else nothing comes. */
  readonly resets: boolean;
}

/** The client's side of an exchange. */
export interface ExchangeEnd {
  started(): void;
  answered(answer: WireAnswer): void;
  failed(code: string): void;
  isOver(): boolean;
}

export interface WireWorld {
  readonly scheduler: Scheduler;
  readonly serverAt: (origin: string) => WireServer | undefined;
  readonly fateOf: (request: Omit<WireRequest, 'sentMs'>) => ExchangeFate;
  /** A request was written to the wire. */
  readonly onSent: (request: WireRequest) => void;
  /** An answer reached the process that waits for it. */
  readonly onAnswered: (machine: Machine, request: WireRequest, answer: WireAnswer) => void;
  /** A process begins an exchange. */
  readonly onStart: (machine: Machine) => void;
}

export interface Wire {
  exchange(machine: Machine, request: Omit<WireRequest, 'sentMs'>, end: ExchangeEnd): void;
}

export function createWire(world: WireWorld): Wire {
  const { scheduler } = world;
  let count = 0;
  return {
    exchange(machine, asked, end) {
      count += 1;
      world.onStart(machine);
      const fate = world.fateOf(asked);
      const name = `${machine.name} http #${count}`;
      const tell = (words: string) => scheduler.note(`${name} ${words}`);
      const reset = (afterMs: number) => {
        if (fate.resets) scheduler.after(afterMs, () => end.failed('ECONNRESET'), machine);
      };
      const arrive = (request: WireRequest, isFirst: boolean) => {
        const server = world.serverAt(request.origin);
        const answer = server?.handle(request, isFirst ? fate.server : 'none');
        tell(
          `arrives${isFirst ? '' : ' again'}: ${answer?.status ?? 'broken'} ${answer === undefined ? '' : hashOf(answer.body).toString(16)}`,
        );
        if (!isFirst) return;
        if (answer === undefined || fate.answerMs < 0) return reset(1);
        const give = () => {
          if (!end.isOver()) world.onAnswered(machine, request, answer);
          end.answered(answer);
        };
        scheduler.after(fate.answerMs, give, machine);
      };
      const open = () => {
        if (end.isOver()) return;
        if (fate.isRefused) {
          tell(`${asked.method} ${asked.path}: refused`);
          end.failed('ECONNREFUSED');
          return;
        }
        end.started();
        // Whoever waited too long for the connection writes nothing.
        if (end.isOver()) return tell(`${asked.method} ${asked.path}: given up unsent`);
        const request = { ...asked, sentMs: scheduler.nowMs() };
        tell(`${asked.method} ${asked.path} ${hashOf(asked.body).toString(16)}`);
        world.onSent(request);
        if (fate.requestMs < 0) return reset(5);
        scheduler.after(fate.requestMs, () => arrive(request, true));
        if (fate.againMs >= 0) {
          scheduler.after(fate.requestMs + fate.againMs, () => arrive(request, false));
        }
      };
      scheduler.after(fate.connectMs, open, machine);
    },
  };
}
