import { constants, getPriority, setPriority } from 'node:os';

/** A tenth of the time of a thread at the usual priority, where the two want the same core (sched(7), nice). */
const niceness = 10;

/**
 * Has the worker thread that calls it yield to the process's other threads, so that its arithmetic takes
 * what the one that answers leaves. On Linux a priority is a thread's own; elsewhere it would be the whole
 * process's, so nothing is done.
 */
export function yieldThread(): void {
  if (process.platform !== 'linux') return;
  // From where the process stands: whoever started it may have lowered it, and it cannot be raised again.
  setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
}
