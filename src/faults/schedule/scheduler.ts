import { setImmediate as turn } from 'node:timers/promises';
import { createEventQueue, type Timed } from './event-queue.ts';
import type { Trace } from './trace.ts';

/**
 * What the scheduler asks of whoever an event belongs to. An owner that died lets nothing happen
 * any more; one that is held up lets its events wait for the end of it.
 */
export interface Owner {
  readonly isAlive: boolean;
  readonly heldUntilMs: number;
}

export interface Planned {
  cancel(): void;
}

interface Event extends Timed {
  readonly run: () => void | Promise<void>;
  readonly owner: Owner | undefined;
  isCancelled: boolean;
  /** The same event at a later time, since its owner was held up. */
  later?: Event;
}

/** A step of the time that is longer asks first whether work falls due within it. */
const longStepMs = 200;

/**
 * The simulated time. Everything that takes time or leaves the process is an event on one queue; one
 * event runs at a time, and the next one comes when all that it set off has come to rest at the queue
 * again. So the order of everything is a function of the seed.
 */
export class Scheduler {
  readonly #events = createEventQueue<Event>();
  readonly #trace: Trace;
  #nowMs: number;
  #order = 0;
  #changes = 0;

  constructor(startMs: number, trace: Trace) {
    this.#nowMs = startMs;
    this.#trace = trace;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** `run` may wait for the world outside: nothing else happens meanwhile. */
  after(delayMs: number, run: () => void | Promise<void>, owner?: Owner): Planned {
    const event = this.#push(this.#nowMs + Math.max(0, delayMs), run, owner);
    return { cancel: () => cancel(event) };
  }

  /** When the next event comes, as far as is planned; Infinity where none is. */
  nextAtMs(): number {
    return this.#next()?.atMs ?? Infinity;
  }

  /** A line of the trace, at this time. */
  note(line: string): void {
    this.#trace.add(this.#nowMs, line);
  }

  /** Runs events until the instant; `whenIdle` may plan more before time makes a long step. */
  async runUntil(untilMs: number, whenIdle: () => Promise<void>): Promise<void> {
    await this.#settle();
    for (;;) {
      let next = this.#next();
      if (next === undefined || next.atMs > this.#nowMs + longStepMs) {
        await whenIdle();
        next = this.#next();
      }
      if (next === undefined || next.atMs > untilMs) break;
      this.#events.pop();
      await this.#run(next);
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  /** What was set off goes on until it comes to rest. */
  async #settle(): Promise<void> {
    for (let before = -1; before !== this.#changes; ) {
      before = this.#changes;
      // The first turn lets what waits for its end go on, the second what that has set off.
      await turn();
      await turn();
    }
  }

  async #run(event: Event): Promise<void> {
    this.#nowMs = Math.max(this.#nowMs, event.atMs);
    const { owner } = event;
    if (owner?.isAlive === false) return;
    if (owner !== undefined && owner.heldUntilMs > this.#nowMs) {
      event.later = this.#push(owner.heldUntilMs, event.run, owner);
      return;
    }
    this.#changes += 1;
    await event.run();
    await this.#settle();
  }

  #push(atMs: number, run: Event['run'], owner: Owner | undefined): Event {
    this.#order += 1;
    this.#changes += 1;
    const event: Event = { atMs, order: this.#order, run, owner, isCancelled: false };
    this.#events.push(event);
    return event;
  }

  #next(): Event | undefined {
    for (;;) {
      const next = this.#events.peek();
      if (next === undefined || !next.isCancelled) return next;
      this.#events.pop();
    }
  }
}

function cancel(event: Event): void {
  event.isCancelled = true;
  if (event.later !== undefined) cancel(event.later);
}
