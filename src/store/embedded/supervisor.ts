import { setTimeout as delay } from 'node:timers/promises';
import { secondMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { asStartFailure, bringUp } from './bring-up.ts';
import { type DataDirLock, holdDataDirLock, type LockTarget } from './data-dir-lock.ts';
import type { EmbeddedDeps } from './embedded-deps.ts';
import { type Server, stopPostmaster } from './postmaster.ts';

const backoffFirstMs = 100;
const maxBackoffMs = 5 * secondMs;

/**
 * Watches a running server through the connection that holds the data folder: when that breaks, the
 * server is started again on the same port, so that pools find it, until it runs or we stop.
 */
export class Supervisor {
  readonly #deps: EmbeddedDeps;
  readonly #server: Server;
  readonly #target: LockTarget;
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;
  readonly #listeners: ((cause: AppError) => void)[] = [];
  #lock: DataDirLock | undefined;
  #cause: AppError | undefined;
  #stopped: Promise<void> | undefined;

  constructor(deps: EmbeddedDeps, server: Server, target: LockTarget, lock: DataDirLock) {
    this.#deps = deps;
    this.#server = server;
    this.#target = target;
    this.#lock = lock;
    this.#watching = this.#watch(lock);
  }

  /** Tells once when the folder is lost to another Recoup; not when it is stopped by `stop`. */
  onExit(listener: (cause: AppError) => void): void {
    if (this.#cause === undefined) this.#listeners.push(listener);
    else listener(this.#cause);
  }

  /** Stops the server, also one that another process had started, and lets the folder go. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
    // Without the lock the server is another's. With it, it is held until the server is gone.
    if (this.#lock === undefined) return;
    await stopPostmaster(this.#server);
    await this.#lock.release();
  }

  async #watch(first: DataDirLock): Promise<void> {
    const { signal } = this.#stopping;
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    let lock: DataDirLock | undefined = first;
    while (lock !== undefined) {
      this.#lock = lock;
      await Promise.race([lock.lost, stopped]);
      if (signal.aborted) return;
      this.#lock = undefined;
      this.#deps.log.warn('The embedded database ended unexpectedly and is started again.');
      lock = await this.#recover(signal);
    }
  }

  async #recover(signal: AbortSignal): Promise<DataDirLock | undefined> {
    let waitMs = backoffFirstMs;
    while (!signal.aborted) {
      try {
        const lock = await this.#tryAgain(signal);
        this.#deps.log.info('The embedded database runs again.');
        return lock;
      } catch (error) {
        if (signal.aborted) return undefined;
        const cause = asStartFailure(error);
        if (cause.code === 'data_dir_in_use') {
          this.#giveUp(cause);
          return undefined;
        }
        this.#deps.log.warn(`${cause.message} The next try is in ${waitMs} ms.`);
      }
      await delay(waitMs, undefined, { signal }).catch(() => {});
      waitMs = Math.min(2 * waitMs, maxBackoffMs);
    }
    return undefined;
  }

  async #tryAgain(signal: AbortSignal): Promise<DataDirLock> {
    const { port } = this.#target;
    const running = await bringUp(this.#deps, this.#server, { port, signal });
    const lock = await holdDataDirLock({ ...this.#target, port: running.port });
    if (running.port === port) return lock;
    // Another Recoup started it meanwhile and has gone; our pools know only the old port.
    await stopPostmaster(this.#server);
    await lock.release();
    throw new AppError('database_start_failed', `The database runs on port ${running.port}.`);
  }

  #giveUp(cause: AppError): void {
    this.#cause = cause;
    for (const listener of this.#listeners) listener(cause);
  }
}
