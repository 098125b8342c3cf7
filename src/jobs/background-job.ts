import { addMs } from '../domain/clock.ts';
import type { JsonObject } from '../domain/payment.ts';

/** What a run is given besides its input. */
export interface JobContext {
  /** When the run began; never before it was due. */
  readonly at: Date;
  /** Aborted when the run has to end: the process stops, or another one has taken the job over. */
  readonly signal: AbortSignal;
  /** Says how far the run is: the number of things done so far. */
  progress(done: number): void;
}

/**
 * Background work that comes round. It is run again until it succeeds, possibly by another process
 * after the first died in the middle: a run may repeat what an earlier one did.
 */
export interface PeriodicJob {
  readonly name: string;
  /** Due at each multiple of this since 1970 in UTC: a day is midnight, 6 hours are 0, 6, 12, 18. */
  readonly everyMs: number;
  run(context: JobContext): Promise<void>;
}

/** Background work that is asked for, with an input. The same holds for its runs. */
export interface OnDemandJob {
  readonly name: string;
  readonly onDemand: true;
  run(input: JsonObject, context: JobContext): Promise<void>;
}

export type BackgroundJob = PeriodicJob | OnDemandJob;

/** The first multiple of `everyMs` after `after`. Runs that were missed meanwhile are not made up. */
export function nextRunAt(everyMs: number, after: Date): Date {
  return addMs(after, everyMs - (after.getTime() % everyMs));
}

/**
 * Runs `step` until it finds nothing more to do, and looks between two steps whether the run has to
 * end. Each step's effect is its own transaction, so a run that ends early is gone on with later.
 */
export async function inBatches(context: JobContext, step: () => Promise<number>): Promise<number> {
  let done = 0;
  for (;;) {
    context.signal.throwIfAborted();
    const count = await step();
    if (count === 0) return done;
    done += count;
    context.progress(done);
  }
}
