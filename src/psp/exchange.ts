import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { presentGate } from './send-gate.ts';

/** One HTTP request to a PSP. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange: waiting for a connection, sending, and the answer to its last byte. */
  readonly deadlineMs: number;
  /** The most that is read of an answer. */
  readonly answerBytes: number;
}

/**
 * What became of it. `not_sent`: no byte of the request reached a socket, so the PSP cannot have
 * acted on it. `lost`: it may have arrived, and no whole answer came back. Reasons are our own
 * words and an error code, never a text of the other side.
 */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
    }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** A whole answer of the PSP. */
export type Answered = Extract<Exchange, { kind: 'answered' }>;

/**
 * Sends one request. The dispatcher calls `onRequestStart` just before it writes: an exchange that
 * ends before that call is `not_sent`, whatever the error. So does one whose gate is closed by then: a
 * process that was stopped meanwhile hears of its connection before it hears of its deadline. Redirects
 * are answers like any other.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const { method, path, headers, body, deadlineMs, answerBytes } = request;
    const gate = presentGate();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let started: Dispatcher.DispatchController | undefined;
    let head: { status: number; headers: IncomingHttpHeaders } = { status: 0, headers: {} };
    let over = false;

    const finish = (outcome: Exchange) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      resolve(outcome);
    };
    const giveUp = (reason: string) => {
      finish({ kind: started === undefined ? 'not_sent' : 'lost', reason });
    };
    const cut = (reason: string) => {
      giveUp(reason);
      started?.abort(new Error(reason));
    };
    const timer = setTimeout(cut, deadlineMs, `no answer within ${deadlineMs} ms`);

    dispatcher.dispatch(
      { method, path, headers: { ...headers }, body: body ?? null },
      {
        onRequestStart(controller) {
          // The deadline passed while this waited for a connection: nothing may be written now.
          const closed = over ? 'the deadline has passed' : gate.closedBecause();
          if (closed === undefined) {
            started = controller;
            return;
          }
          finish({ kind: 'not_sent', reason: closed });
          controller.abort(new Error(closed));
        },
        onResponseStart(_controller, status, answerHeaders) {
          head = { status, headers: answerHeaders };
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length;
          if (bytes > answerBytes) cut(`the answer is larger than ${answerBytes} bytes`);
          else chunks.push(chunk);
        },
        onResponseEnd() {
          finish({ kind: 'answered', ...head, text: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_controller, error) {
          giveUp(`the connection failed (${errorCode(error)})`);
        },
      },
    );
  });
}

function errorCode(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? error.code : error.name;
}
