import type { Clock } from '../../domain/clock.ts';

/** A jump of the machine's time, or a process that stood still. */
export interface Jump {
  /** How far the wall clock moved against the monotonic one; 0 for a process that only stood still. */
  readonly byMs: number;
  /** Since the last look, by the monotonic clock. */
  readonly afterMs: number;
}

/** A clock is slewed by less between two looks, and set by more. */
const jumpMs = 1_000;
/** Nothing of ours keeps the process from looking for so long: it was stopped. */
const standstillMs = 5_000;

/**
 * Watches the wall clock against the monotonic one. A machine that was suspended has a monotonic clock
 * that stood still meanwhile, and a clock that was set has not; a process that was stopped sees a gap
 * in both. The answer to each look is what happened since the last one.
 */
export function createJumpWatch(deps: {
  readonly wall: Clock;
  readonly elapsedMs: () => number;
}): () => Jump | undefined {
  let lastMs = deps.elapsedMs();
  let distanceMs = deps.wall.now().getTime() - lastMs;
  return () => {
    const nowMs = deps.elapsedMs();
    const presentMs = deps.wall.now().getTime() - nowMs;
    const byMs = presentMs - distanceMs;
    const afterMs = nowMs - lastMs;
    lastMs = nowMs;
    distanceMs = presentMs;
    if (Math.abs(byMs) > jumpMs) return { byMs, afterMs };
    return afterMs > standstillMs ? { byMs: 0, afterMs } : undefined;
  };
}
