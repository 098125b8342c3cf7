import { invariant } from '../../domain/errors.ts';

/** What one question to the database's clock told. */
export interface ClockSample {
  /** The database's time less the monotonic one, in milliseconds. */
  readonly offsetMs: number;
  /** By how much that may be wrong, either way: half the round trip, when it was asked. */
  readonly uncertaintyMs: number;
  /** The monotonic time of the answer. */
  readonly atMs: number;
}

/** The database tells its time to the microsecond; ours is cut to the millisecond in a Date. */
const grainMs = 1;
/**
 * How fast the two clocks may come apart. The kernel slews by 500 parts in a million at most, and a
 * crystal is off by less.
 */
const maxDrift = 0.000_5;

export function sampleOf(asked: {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly databaseMs: number;
}): ClockSample {
  const { sentMs, receivedMs, databaseMs } = asked;
  return {
    offsetMs: databaseMs - (sentMs + receivedMs) / 2,
    uncertaintyMs: (receivedMs - sentMs) / 2 + grainMs,
    atMs: receivedMs,
  };
}

/** By how much a sample may be wrong by now. */
export function uncertaintyAt(sample: ClockSample, elapsedMs: number): number {
  return sample.uncertaintyMs + maxDrift * Math.max(0, elapsedMs - sample.atMs);
}

/** The one with the shortest round trip: it waited least anywhere. */
export function bestOf(samples: readonly ClockSample[]): ClockSample {
  const [first, ...rest] = samples;
  invariant(first !== undefined, 'a round has a sample');
  return rest.reduce(
    (best, next) => (next.uncertaintyMs < best.uncertaintyMs ? next : best),
    first,
  );
}

/**
 * Which of two samples to go by. The older one stays while it is the more exact and the newer one does
 * not contradict it: time is not moved to and fro by each answer that was a little late.
 */
export function follow(present: ClockSample | undefined, next: ClockSample): ClockSample {
  if (present === undefined) return next;
  const agedMs = uncertaintyAt(present, next.atMs);
  const contradicts = Math.abs(next.offsetMs - present.offsetMs) > agedMs + next.uncertaintyMs;
  return contradicts || next.uncertaintyMs <= agedMs ? next : present;
}
