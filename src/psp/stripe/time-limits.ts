/** What one operation of several exchanges may take, so that all of them end by the deadline. */
export interface TimeLimits {
  /** For each call before or after the one that moves money. */
  readonly stepMs: number;
  /** For the call that moves money, after this many calls before it and one after it. */
  chargeMs(stepsBefore: number): number;
}

/**
 * A sixth of the deadline for each step, the rest for the charge. The engine counts on a charge
 * being written within one deadline of its commit, so what comes before must leave time for it.
 */
export function timeLimits(deadlineMs: number): TimeLimits {
  const stepMs = Math.max(1, Math.floor(deadlineMs / 6));
  return {
    stepMs,
    chargeMs: (stepsBefore) => Math.max(1, deadlineMs - (stepsBefore + 1) * stepMs),
  };
}
