import { scheduleTimes } from '../fixed.ts';
import { usableMethods } from '../gates.ts';
import type { PlanInput } from '../plan.ts';
import type { LearnedInput } from './deciding/learned-input.ts';
import { candidate } from './deciding/plan-words.ts';
import { bestMethod } from './deciding/weigh-methods.ts';

/** A try that is meant to be made if those before it are declined. */
export interface PlannedTry {
  readonly at: Date;
  /** Of an approval, from 0 to 1, where a model planned it. */
  readonly chance?: number;
}

/** The tries of a schedule after the one at `nextAt`. */
export function scheduledAfter(plan: PlanInput, nextAt: Date): readonly PlannedTry[] {
  const { settings, failedAt, windowEndsAt, tries } = plan;
  return scheduleTimes(settings, failedAt, windowEndsAt)
    .filter((at) => at.getTime() > nextAt.getTime() && at.getTime() <= windowEndsAt.getTime())
    .slice(0, Math.max(settings.maxAttempts - tries.length - 1, 0))
    .map((at) => ({ at }));
}

/** The tries that the model would make after the one at `nextAt`, as it plans at `plan.now`. */
export function modelledAfter(input: LearnedInput, nextAt: Date): readonly PlannedTry[] {
  const tries = bestMethod(input, usableMethods(input.plan))?.slots.tries ?? [];
  return tries
    .slice(1)
    .map((slot) => candidate(slot, input.payment.utcOffsetMinutes))
    .map(({ at, score }) => ({ at: new Date(at), chance: score }))
    .filter(({ at }) => at.getTime() > nextAt.getTime());
}
