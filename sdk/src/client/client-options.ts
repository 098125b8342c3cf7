/** What a client may have of its own; all of it has defaults that suit a server. */
export interface ClientOptions {
  /** For one try, in milliseconds. Default: 30,000, since a stop may take half of that. */
  readonly timeoutMs?: number;
  /** Tries after the first one. Default: 3. */
  readonly retries?: number;
  /** The longest wait that a Retry-After is obeyed for, in milliseconds. Default: 60,000. */
  readonly maxWaitMs?: number;
  /** Default: the runtime's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** A number from 0 to below 1, for the spread of waits. Default: Math.random. */
  readonly random?: () => number;
  /** The present in milliseconds since 1970. Default: this machine's clock. */
  readonly nowMs?: () => number;
  /** Waits, and rejects with the signal's reason when that comes first. Default: a timer. */
  readonly sleep?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
  /** A fresh idempotency key. Default: crypto.randomUUID. */
  readonly newKey?: () => string;
}

export type ClientDeps = Required<ClientOptions>;

/**
 * The options with the defaults filled in. One that is there and undefined, as JavaScript passes on what was not
 * set, is one that was left out: as a number of tries it would have no end, as a time-out it would be over at once.
 */
export function clientDeps(options: ClientOptions): ClientDeps {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    timeoutMs: 30_000,
    retries: 3,
    maxWaitMs: 60_000,
    // Called anew each time, so that what replaces it later is used.
    fetch: (url, init) => fetch(url, init),
    random: Math.random,
    nowMs: Date.now,
    sleep,
    newKey: () => crypto.randomUUID(),
    ...Object.fromEntries(given),
  };
}

async function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
