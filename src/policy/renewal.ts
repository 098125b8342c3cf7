import type { PlanInput, PlanMethod } from './plan.ts';

/** When the method was renewed, as a number to sort by; 0 unless that was after `since`. */
export function renewal(method: PlanMethod, since: Date): number {
  const at = method.renewedAt?.getTime() ?? 0;
  return at > since.getTime() ? at : 0;
}

/** The start of the last try, or the failure: a method renewed after it was not tried since. */
export function lastTriedAt(input: Pick<PlanInput, 'tries' | 'failedAt'>): Date {
  return input.tries.at(-1)?.startedAt ?? input.failedAt;
}
