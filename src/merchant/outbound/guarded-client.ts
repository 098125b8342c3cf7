import { Agent, type Dispatcher } from 'undici';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { type AddressGuard, createAddressGuard, type GuardSettings } from './address-guard.ts';
import { type ExchangeOnce, exchangeOnce, type Keep } from './exchange-once.ts';
import { type Failure, failureOf, isBrokenConnection, OutboundError } from './failure.ts';
import { guardedConnector } from './guarded-connector.ts';

export interface GuardedClientSettings extends GuardSettings {
  /** For the whole exchange: name, connection, TLS, request, head and body of the answer. */
  readonly timeoutMs: number;
  /** A monotonic clock in milliseconds, for durations only. */
  readonly elapsedMs: () => number;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string;
  /** Headers of every request beside its own: a trace's. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Carries the requests instead of guarded sockets: a simulation's. */
  readonly carrier?: Dispatcher;
}

export interface GuardedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Statuses whose body is wanted; for the others the status is the whole answer. */
  readonly bodyFor: readonly number[];
  /** Of an answer with any other status than this the beginning of the body is wanted. */
  readonly excerptUnless?: number;
}

/**
 * A server's answer. `body` is empty where `bodyFor` did not ask for it, and where it is an excerpt up to
 * limits.answerExcerptBytes of what came.
 */
export interface Answer {
  readonly status: number;
  /** By lower-case name; a list where the server sent a field more than once. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

export type Exchange =
  | ({ readonly kind: 'answered'; readonly durationMs: number } & Answer)
  | ({ readonly kind: 'failed'; readonly durationMs: number } & Failure);

export interface GuardedClient {
  /** One POST. Never rejects for what the other side does. */
  post(request: GuardedRequest): Promise<Exchange>;
  /** Lets what is in flight end, then closes every connection. */
  close(): Promise<void>;
}

const maxKeepAliveMs = 60_000;

/**
 * The one way out to merchants' servers: addresses are guarded, redirects never followed, the whole
 * exchange has one deadline, and an answer is read up to limits.merchantAnswerBytes. Nothing is
 * ever decompressed: no encoding is asked for, and an encoded answer is refused.
 */
export function createGuardedClient(settings: GuardedClientSettings): GuardedClient {
  const { timeoutMs, elapsedMs } = settings;
  const guard = createAddressGuard({
    ...settings,
    resolveTimeoutMs: Math.min(timeoutMs, settings.resolveTimeoutMs ?? timeoutMs),
  });
  const agent = settings.carrier ?? guardedAgent(settings, guard);

  async function post(request: GuardedRequest): Promise<Exchange> {
    const startedMs = elapsedMs();
    const durationMs = (): number => Math.max(0, Math.round(elapsedMs() - startedMs));
    const reading = guard.readUrl(request.url);
    if (reading.kind === 'refused') {
      return { kind: 'failed', cause: 'address_refused', detail: reading.detail, durationMs: 0 };
    }
    const deadline = startDeadline(timeoutMs);
    try {
      const headers = { ...settings.headers?.(), ...request.headers };
      const answer = await exchange(agent, reading.url, { ...request, headers }, deadline);
      return { kind: 'answered', ...answer, durationMs: durationMs() };
    } catch (error) {
      return { kind: 'failed', ...failureOf(error), durationMs: durationMs() };
    } finally {
      deadline.clear();
    }
  }

  return { post, close: () => agent.close() };
}

function guardedAgent(settings: GuardedClientSettings, guard: AddressGuard): Agent {
  const { timeoutMs, ca } = settings;
  return new Agent({
    connect: guardedConnector(guard, { timeoutMs, ...present({ ca }) }),
    // As many connections to a server as there are calls: who calls bounds them for each merchant. A bound here would
    // be shared by all merchants of one server, and a call that waits for a connection is nobody's failure.
    allowH2: false,
    maxResponseSize: limits.merchantAnswerBytes,
    keepAliveMaxTimeout: maxKeepAliveMs,
    // The deadline of the whole exchange stands in for the library's separate ones.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

interface Deadline {
  /** Cuts this exchange off at the end of the time, instead of an earlier one. */
  holds(exchange: Pick<ExchangeOnce, 'cut'>): void;
  isOver(): boolean;
  clear(): void;
}

function startDeadline(timeoutMs: number): Deadline {
  let held: Pick<ExchangeOnce, 'cut'> | undefined;
  let isOver = false;
  const detail = `The exchange did not finish within ${timeoutMs} ms.`;
  const timer = setTimeout(() => {
    isOver = true;
    held?.cut(new OutboundError({ cause: 'timeout', detail }));
  }, timeoutMs);
  return {
    holds: (exchange) => {
      held = exchange;
    },
    isOver: () => isOver,
    clear: () => clearTimeout(timer),
  };
}

async function exchange(
  agent: Dispatcher,
  url: URL,
  request: GuardedRequest,
  deadline: Deadline,
): Promise<Answer> {
  const options = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...request.headers, 'accept-encoding': 'identity', 'user-agent': 'Recoup' },
    body: request.body,
  } as const;
  const send = (): Promise<Answer> => {
    const sent = exchangeOnce(agent, options, (...head) => wantedOf(request, ...head));
    deadline.holds(sent);
    return sent.answer;
  };
  // A kept connection may be closed by the server just as we write on it. Both calls may be made
  // twice, and a webhook that fails would wait for 12 hours, so one second try comes at once.
  return send().catch((error: unknown) => {
    if (deadline.isOver() || !isBrokenConnection(error)) throw error;
    return send();
  });
}

/** What is wanted of an answer's body. */
function wantedOf(
  { bodyFor, excerptUnless }: GuardedRequest,
  status: number,
  headers: Answer['headers'],
): ReturnType<Keep> {
  // Names of codings have no case, and an empty field lists none (RFC 9110 sections 8.4.1 and 5.6.1).
  const encoding = headers['content-encoding']?.toString().trim().toLowerCase() ?? '';
  const isPlain = encoding === '' || encoding === 'identity';
  if (!bodyFor.includes(status)) {
    // The status is the whole answer; an excerpt is what came of the beginning, to where it breaks.
    const isExcerpt = isPlain && excerptUnless !== undefined && excerptUnless !== status;
    return { bytes: isExcerpt ? limits.answerExcerptBytes : 0, needsAll: false };
  }
  if (isPlain) return { bytes: Number.POSITIVE_INFINITY, needsAll: true };
  const detail = 'The answer is compressed, although no compression was accepted.';
  return new OutboundError({ cause: 'wrong_type', detail });
}
