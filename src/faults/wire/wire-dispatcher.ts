import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { Dispatcher } from 'undici';
import type { Machine } from '../schedule/machine.ts';
import type { Wire, WireAnswer } from './wire.ts';

type Handler = Dispatcher.DispatchHandler;

/** Where a process's HTTP requests go instead of to sockets. */
export class WireDispatcher extends Dispatcher {
  readonly #wire: Wire;
  readonly #machine: Machine;
  readonly #origin: string | undefined;

  /** `origin` for requests that name none, as a pool's to its one server. */
  constructor(wire: Wire, machine: Machine, origin?: string) {
    super();
    this.#wire = wire;
    this.#machine = machine;
    this.#origin = origin;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    const inContext = AsyncLocalStorage.snapshot();
    this.#machine.waits += 1;
    const controller = new WireController((error) => {
      this.#machine.waits -= 1;
      handler.onResponseError?.(controller, error);
    });
    const request = {
      origin: String(options.origin ?? this.#origin ?? ''),
      path: options.path,
      method: options.method,
      headers: headersOf(options.headers),
      body: textOf(options.body),
    };
    this.#wire.exchange(this.#machine, request, {
      isOver: () => controller.aborted,
      started: () => inContext(() => handler.onRequestStart?.(controller, {})),
      answered: (answer) => {
        if (controller.aborted) return;
        this.#machine.waits -= 1;
        inContext(() => giveAnswer(handler, controller, answer));
      },
      failed: (code) => inContext(() => controller.fail(code)),
    });
    return true;
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    return ended(callback);
  }

  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(first?: Error | null | (() => void), second?: () => void) {
    return ended(typeof first === 'function' ? first : second) as Promise<void>;
  }
}

function ended(callback: (() => void) | undefined): Promise<void> | undefined {
  if (callback === undefined) return Promise.resolve();
  callback();
  return undefined;
}

function giveAnswer(handler: Handler, controller: WireController, answer: WireAnswer): void {
  const headers: IncomingHttpHeaders = { 'content-type': 'application/json', ...answer.headers };
  handler.onResponseStart?.(controller, answer.status, headers, '');
  handler.onResponseData?.(controller, Buffer.from(answer.body, 'utf8'));
  handler.onResponseEnd?.(controller, {});
  controller.isEnded = true;
}

/** By this a client gives an exchange up. */
class WireController implements Dispatcher.DispatchController {
  readonly #onError: (error: Error) => void;
  aborted = false;
  isEnded = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders = null;
  rawTrailers = null;

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  abort(reason: Error): void {
    if (this.aborted || this.isEnded) return;
    this.aborted = true;
    this.reason = reason;
    this.#onError(reason);
  }

  fail(code: string): void {
    this.abort(Object.assign(new Error(code), { code }));
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

function headersOf(given: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
}
