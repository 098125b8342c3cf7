import type { Clock } from '../../domain/clock.ts';
import type { SubmissionStore } from './submission-ports.ts';

/** What the answers to a stage of a dispute are kept by, whichever of the two it is. */
export interface AnswerDeps {
  readonly clock: Clock;
  readonly submissions: SubmissionStore;
  /** How long a call to a PSP may be on its way: before that nobody takes it up again. */
  readonly inFlightMs: number;
}
