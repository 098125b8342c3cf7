import { AsyncLocalStorage } from 'node:async_hooks';
import { runningMachine } from './machine.ts';
import type { Planned, Scheduler } from './scheduler.ts';

/**
 * While a simulation runs, timers that its processes set go by the simulated time, and those of
 * everybody else by the real one. The service sets its timers as ever: by the global functions.
 */
export function installVirtualTimers(scheduler: Scheduler): () => void {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
  };
  const start =
    (every: boolean) =>
    (callback: Callback, waitMs?: number, ...args: unknown[]) => {
      const owner = runningMachine();
      if (owner === undefined) {
        return every
          ? real.setInterval(callback, waitMs, ...args)
          : real.setTimeout(callback, waitMs, ...args);
      }
      return new VirtualTimer(scheduler, () => callback(...args), Math.max(1, waitMs ?? 1), every);
    };
  const clear = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.cancel();
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, {
    setTimeout: start(false),
    setInterval: start(true),
    clearTimeout: clear,
    clearInterval: clear,
  });
  return () => Object.assign(globalThis, real);
}

type Callback = (...args: unknown[]) => void;

/** What callers may do with a timer of Node's, as far as the service does. */
class VirtualTimer {
  readonly #start: () => void;
  #planned: Planned | undefined;

  constructor(scheduler: Scheduler, callback: () => void, waitMs: number, every: boolean) {
    const owner = runningMachine();
    const inContext = AsyncLocalStorage.snapshot();
    this.#start = () => {
      const fire = () => {
        if (every) this.#start();
        inContext(callback);
      };
      this.#planned = scheduler.after(waitMs, fire, owner);
    };
    this.#start();
  }

  cancel(): void {
    this.#planned?.cancel();
  }

  refresh(): this {
    this.cancel();
    this.#start();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}
