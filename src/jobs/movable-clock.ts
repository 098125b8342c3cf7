import { addMs, type Clock } from '../domain/clock.ts';

/**
 * The sandbox's clock: the engine's, and an offset that only grows. Between two moves time runs at
 * its real pace. The offset's home is the database, so that every process and every statement has
 * the same one; here stands what this process knows of it.
 */
export interface MovableClock extends Clock {
  /** Milliseconds that this clock stands before the engine's. */
  readonly offsetMs: number;
  /** Takes the offset over where it is larger than the present one. */
  moveToOffset(offsetMs: number): void;
  /** Makes it `at`, where that is later than now. */
  moveTo(at: Date): void;
  /** Calls `listener` after each move. */
  onMoved(listener: () => void): void;
}

export function createMovableClock(input: {
  /** The engine's time without the offset. */
  readonly base: Clock;
  readonly offsetMs: number;
}): MovableClock {
  const { base } = input;
  const listeners: (() => void)[] = [];
  let offsetMs = input.offsetMs;

  function moveToOffset(to: number): void {
    if (to <= offsetMs) return;
    offsetMs = to;
    for (const listener of listeners) listener();
  }

  return {
    now: () => addMs(base.now(), offsetMs),
    get offsetMs() {
      return offsetMs;
    },
    moveToOffset,
    moveTo: (at) => moveToOffset(at.getTime() - base.now().getTime()),
    onMoved: (listener) => void listeners.push(listener),
  };
}
