import type { Dispatcher } from 'undici';
import type { Reach } from '../../psp/adapter.ts';

/** A machine that is simulated whole: its requests go over a wire that loses and repeats them. */
export interface SimulatedMachine {
  /** The way to a PSP. */
  readonly reach: Reach;
  /** The way to merchants' servers. */
  readonly carrier: Dispatcher;
  /** How long a loop waits before it looks by itself; whoever moves the time rings before. */
  readonly pollMs: number;
}
