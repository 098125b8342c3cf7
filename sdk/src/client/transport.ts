import { apiErrorOf, RecoupApiError, RecoupConnectionError } from './api-error.ts';
import type { CallOptions } from './call-options.ts';
import type { ClientDeps } from './client-options.ts';
import { waitBefore } from './wait-before.ts';

/** Where a service is, and how it knows its caller. */
export interface Target {
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
}

export interface Outgoing {
  readonly method: string;
  /** From the base, encoded, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer whose head is here. Its time-out runs until `close`, and anew after each `touch`. */
export interface OpenAnswer extends Pick<Timer, 'touch' | 'close' | 'errorOf'> {
  readonly response: Response;
}

export interface Transport {
  /** One try, with the head of its success; RecoupApiError or RecoupConnectionError otherwise. */
  open(outgoing: Outgoing, options: CallOptions): Promise<OpenAnswer>;
  /** The whole body of a success, after as many tries as it takes and may take. */
  exchange(
    outgoing: Outgoing,
    options: CallOptions & { readonly isRepeatable: boolean },
  ): Promise<ArrayBuffer>;
  readonly deps: ClientDeps;
}

/** The one way to a service: time-outs, repetition, and errors with an action. */
export function createTransport(deps: ClientDeps, target: Target): Transport {
  const open: Transport['open'] = async (outgoing, options) => {
    const timer = startTimer(options.timeoutMs ?? deps.timeoutMs, options.signal);
    try {
      const response = await deps.fetch(addressOf(target, outgoing), {
        method: outgoing.method,
        headers: { ...outgoing.headers, ...target.credentials },
        ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
        // A redirect would take the credentials along.
        redirect: 'manual',
        signal: timer.signal,
      });
      if (!response.ok) throw apiErrorOf(response, await response.text(), deps.nowMs());
      return { response, ...timer };
    } catch (error) {
      timer.close();
      throw timer.errorOf(error);
    }
  };
  const tryOnce = async (outgoing: Outgoing, options: CallOptions): Promise<ArrayBuffer> => {
    const { response, close, errorOf } = await open(outgoing, options);
    try {
      return await response.arrayBuffer();
    } catch (error) {
      throw errorOf(error);
    } finally {
      close();
    }
  };
  return {
    deps,
    open,
    exchange: (outgoing, options) => repeat(deps, options, () => tryOnce(outgoing, options)),
  };
}

/** Runs it until it succeeds, or fails for good; then throws what the last try threw. */
async function repeat<Result>(
  deps: ClientDeps,
  { signal, isRepeatable }: CallOptions & { readonly isRepeatable: boolean },
  run: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const delayMs = waitBefore(deps, { error, tries, isRepeatable });
      if (delayMs === undefined) throw error;
      await deps.sleep(delayMs, signal);
    }
  }
}

function addressOf({ baseUrl }: Target, { path }: Outgoing): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}`;
}

interface Timer {
  readonly signal: AbortSignal;
  touch(): void;
  close(): void;
  /** What a failed exchange is to the caller: their own reason to end it, late, or a broken connection. */
  errorOf(error: unknown): unknown;
}

function startTimer(timeoutMs: number, outer: AbortSignal | undefined): Timer {
  const controller = new AbortController();
  const end = (): void => controller.abort(outer?.reason);
  // Kept here, since some runtimes reject with a copy of the reason that a signal was given.
  let isLate = false;
  const start = () =>
    setTimeout(() => {
      isLate = true;
      controller.abort();
    }, timeoutMs);
  let timer = start();
  if (outer?.aborted === true) end();
  outer?.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    touch: () => {
      clearTimeout(timer);
      timer = start();
    },
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
    errorOf: (error) => {
      if (outer?.aborted === true) return outer.reason;
      if (error instanceof RecoupApiError) return error;
      return new RecoupConnectionError(isLate ? 'timeout' : 'network', { cause: error });
    },
  };
}
