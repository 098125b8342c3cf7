import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { presentGate } from './send-gate.ts';

/** What bounds one call of an SDK that sends by Node's own http module. */
export interface WatchRules {
  /** For the whole call: waiting for a connection, sending, and the answer to its last byte. */
  readonly deadlineMs: number;
  /** Ends the call sooner: one deadline for several calls, after which nothing more is sent. */
  readonly deadline?: AbortSignal;
  /** The most that is read of an answer, as it is on the wire. */
  readonly answerBytes: number;
  /** Sees each whole answer before the SDK does, with the number of its bytes. */
  readonly onAnswer?: (answer: IncomingMessage, bytes: number) => void;
}

/**
 * What became of a call. `not_sent`: no byte of a request reached a connection, so the PSP cannot
 * have acted on it. `lost`: it may have arrived, and no whole answer came back. `refused`: a whole
 * answer came that the SDK gave up with an error. Reasons are our own words and an error code.
 */
export type Watched<Value> =
  | { readonly kind: 'answered'; readonly status: number; readonly value: Value }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** What the SDK threw. */
      readonly error: unknown;
    }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** The part of an agent by which Node hands it a request; Node's own agents all have it. */
interface RequestTaker {
  addRequest(request: ClientRequest, ...rest: readonly unknown[]): void;
}

/**
 * Lets an SDK make one call through a shared agent, and watches the wire meanwhile. SDKs know a
 * time-out of idleness at most, bound no answer, and do not tell whether a request was sent: all
 * that decides whether money moved. An agent is what they let a caller pass in, and it sees every
 * request: the one given to `call` stands before `pool`, and is of use for this call alone. The SDK
 * must read an answer from the moment that it comes, as they do: bytes are counted as they flow.
 */
export async function watchedCall<Value>(
  pool: Agent,
  rules: WatchRules,
  call: (agent: Agent) => Promise<Value>,
): Promise<Watched<Value>> {
  const { deadline, deadlineMs } = rules;
  const tooLate = `no answer within ${deadlineMs} ms`;
  if (deadline?.aborted) return { kind: 'not_sent', reason: tooLate };
  const wire = new Map<ClientRequest, RequestOnWire>();
  const gate = presentGate();
  const { promise: cut, resolve: cutNow } = Promise.withResolvers<{ readonly reason: string }>();
  let isOver = false;
  const giveUp = (reason: string) => {
    isOver = true;
    cutNow({ reason });
    for (const request of wire.keys()) request.destroy(new Error(reason));
  };
  const atDeadline = () => giveUp(tooLate);
  const timer = setTimeout(atDeadline, deadlineMs);
  deadline?.addEventListener('abort', atDeadline);
  const agent: Agent = Object.create(pool, {
    addRequest: {
      value(request: ClientRequest, ...rest: readonly unknown[]) {
        const mayWrite = () => {
          const closed = isOver ? tooLate : gate.closedBecause();
          if (closed !== undefined) giveUp(closed);
          return closed === undefined;
        };
        wire.set(request, watchRequest(request, { ...rules, mayWrite }, giveUp));
        // An SDK that goes on after the end of its call sends nothing more.
        if (isOver) request.destroy();
        else (pool as Agent & RequestTaker).addRequest(request, ...rest);
      },
    },
  });
  try {
    const ended = await Promise.race([
      call(agent).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
      cut,
    ]);
    return outcomeOf(ended, [...wire.values()]);
  } finally {
    clearTimeout(timer);
    deadline?.removeEventListener('abort', atDeadline);
  }
}

type Ended<Value> =
  | { readonly value: Value }
  | { readonly error: unknown }
  | { readonly reason: string };

function outcomeOf<Value>(ended: Ended<Value>, wire: readonly RequestOnWire[]): Watched<Value> {
  const last = wire.at(-1);
  if ('value' in ended) return { kind: 'answered', status: last?.status ?? 0, value: ended.value };
  if ('error' in ended && last?.isWhole) {
    const { status, headers } = last;
    return { kind: 'refused', status, headers, error: ended.error };
  }
  const reason =
    'reason' in ended ? ended.reason : `the connection failed (${last?.errorCode ?? 'no code'})`;
  // A call of which no request was seen may have gone another way, such as an SDK's proxy.
  const isLost = wire.length === 0 || wire.some((request) => request.isSent);
  return { kind: isLost ? 'lost' : 'not_sent', reason };
}

interface RequestOnWire {
  isSent: boolean;
  isWhole: boolean;
  status: number;
  headers: IncomingHttpHeaders;
  errorCode?: string;
}

function watchRequest(
  request: ClientRequest,
  rules: WatchRules & { readonly mayWrite: () => boolean },
  giveUp: (reason: string) => void,
): RequestOnWire {
  const wire: RequestOnWire = { isSent: false, isWhole: false, status: 0, headers: {} };
  request.on('error', (error: Error & { code?: unknown }) => {
    wire.errorCode = typeof error.code === 'string' ? error.code : error.name;
  });
  request.once('socket', (socket) => {
    onceReady(socket, () => {
      // A process that was stopped meanwhile hears of its connection before it hears of its deadline.
      if (rules.mayWrite()) wire.isSent = true;
      else socket.destroy();
    });
  });
  // Before the SDK's own listener, which was set when the request was made.
  request.prependListener('response', (answer) => {
    let bytes = 0;
    wire.status = answer.statusCode ?? 0;
    wire.headers = answer.headers;
    // An SDK that follows redirects would send a charge to another place, or read another answer.
    delete answer.headers.location;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > rules.answerBytes) {
        giveUp(`the answer is larger than ${rules.answerBytes} bytes`);
      }
    });
    answer.on('end', () => {
      wire.isWhole = true;
      rules.onAnswer?.(answer, bytes);
    });
  });
  return wire;
}

/**
 * Just before a request is written: as soon as its connection is open, over TLS as soon as it is secure.
 * What waits to be written hears of the connection too, and only after this.
 */
function onceReady(socket: Socket & { secureConnecting?: boolean }, ready: () => void): void {
  if (socket.secureConnecting === true) socket.prependOnceListener('secureConnect', ready);
  else if (socket.connecting) socket.prependOnceListener('connect', ready);
  else ready();
}
