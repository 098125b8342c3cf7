import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A server's answer as far as it was kept. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface ExchangeOnce {
  /** Rejects with the library's error, or the one that `keep` or `cut` gave. */
  readonly answer: Promise<KeptAnswer>;
  /** Gives the exchange up, wherever it is; nothing is sent any more that was not. */
  cut(reason: Error): void;
}

/**
 * How many bytes of an answer's body are kept, the others being read and dropped; `needsAll`: without its end
 * there is no answer. An error refuses the answer, and closes the connection.
 */
export type Keep = (
  status: number,
  headers: IncomingHttpHeaders,
) => { readonly bytes: number; readonly needsAll: boolean } | Error;

const noBody = new Uint8Array();

/**
 * Sends one request by the library's own callbacks: with what `request` adds to them, a stream for the body and a
 * signal, a call takes nearly twice the CPU time. The body is read to its end, so that the connection can be kept.
 */
export function exchangeOnce(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  keep: Keep,
): ExchangeOnce {
  const { promise, resolve, reject } = Promise.withResolvers<KeptAnswer>();
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | undefined;
  let head: Omit<KeptAnswer, 'body'> | undefined;
  let bytesLeft = 0;
  let needsAll = true;
  let cutBecause: Error | undefined;

  const kept = (): Uint8Array => (chunks.length === 0 ? noBody : Buffer.concat(chunks));
  /** However it breaks off after its head: where that is enough, what came until then is the answer. */
  const breakOff = (error: Error): void => {
    if (head === undefined || needsAll) reject(error);
    else resolve({ ...head, body: kept() });
  };
  const cut = (reason: Error): void => {
    cutBecause = reason;
    breakOff(reason);
    controller?.abort(reason);
  };

  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started;
      // It was given up while it waited for a connection.
      if (cutBecause !== undefined) started.abort(cutBecause);
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      const wanted = keep(status, headers);
      if (wanted instanceof Error) return cut(wanted);
      head = { status, headers };
      bytesLeft = wanted.bytes;
      needsAll = wanted.needsAll;
    },
    onResponseData(_controller, chunk) {
      if (bytesLeft > 0) chunks.push(chunk.subarray(0, bytesLeft));
      bytesLeft -= chunk.length;
    },
    onResponseEnd() {
      if (head !== undefined) resolve({ ...head, body: kept() });
    },
    onResponseError: (_controller, error) => breakOff(error),
  });
  return { answer: promise, cut };
}
