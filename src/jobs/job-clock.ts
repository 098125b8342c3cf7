import type { Clock, ClockTimer } from 'pg-boss';
import { dayMs } from '../domain/clock.ts';
import type { MovableClock } from './movable-clock.ts';

interface Timer {
  readonly fn: () => void;
  readonly everyMs: number | undefined;
  dueMs: number;
  handle: NodeJS.Timeout | undefined;
}

/** Node fires a longer timer at once, so a wait is cut here and then gone on with. */
const longestWaitMs = dayMs;

/** Time for pg-boss in the sandbox: its timers, and what its SQL has to add. */
export interface JobClock extends Clock {
  /** A scalar subquery that gives the stored offset in milliseconds. */
  readonly offsetMsSql: string;
}

/**
 * The sandbox's clock as pg-boss takes one. Between moves its timers fire in real time; a move fires
 * every timer that it passed once, in their order, as if the process had slept.
 *
 * pg-boss brings a `TestClock`, but its time stands still between ticks, and each process that has
 * one writes its own instant into the database: several would overwrite each other's.
 */
export function createJobClock(deps: {
  readonly clock: MovableClock;
  readonly offsetMsSql: string;
}): JobClock {
  const { clock } = deps;
  const timers = new Set<Timer>();
  const nowMs = (): number => clock.now().getTime();

  function arm(timer: Timer): void {
    clearTimeout(timer.handle);
    const waitMs = Math.min(Math.max(timer.dueMs - nowMs(), 0), longestWaitMs);
    timer.handle = setTimeout(ring, waitMs, timer);
  }

  function ring(timer: Timer): void {
    // A cut wait, or one that Node ended a millisecond early.
    if (timer.dueMs > nowMs()) {
      arm(timer);
      return;
    }
    if (timer.everyMs === undefined) {
      timers.delete(timer);
    } else {
      timer.dueMs = nowMs() + timer.everyMs;
      arm(timer);
    }
    timer.fn();
  }

  function start(fn: () => void, ms: number, everyMs?: number): ClockTimer {
    const timer: Timer = { fn, everyMs, dueMs: nowMs() + ms, handle: undefined };
    timers.add(timer);
    arm(timer);
    return timer;
  }

  function clear(handle: ClockTimer): void {
    const timer = handle as Timer | undefined;
    if (timer === undefined || !timers.delete(timer)) return;
    clearTimeout(timer.handle);
  }

  function rearm(): void {
    for (const timer of [...timers].sort((a, b) => a.dueMs - b.dueMs)) arm(timer);
  }

  clock.onMoved(rearm);
  return {
    offsetMsSql: deps.offsetMsSql,
    now: nowMs,
    setTimeout: (fn, ms) => start(fn, ms),
    clearTimeout: clear,
    setInterval: (fn, ms) => start(fn, ms, Math.max(ms, 1)),
    clearInterval: clear,
  };
}
