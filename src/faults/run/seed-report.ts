import type { Violation } from '../checker/check.ts';
import type { SeedRun } from '../world/run-seed.ts';

/** What is told of one seed: enough to see that it ran, and to replay what it broke. */
export interface SeedReport {
  readonly seed: number;
  readonly hash: string;
  /** Real time. */
  readonly tookMs: number;
  readonly charges: number;
  readonly successes: number;
  readonly debts: number;
  /** Payments that went into the archive, and came out of it again meanwhile. */
  readonly packed: number;
  readonly putBack: number;
  readonly violations: readonly Violation[];
  /** Of a seed that broke something: the end of its trace. */
  readonly last: readonly string[];
  /** Of a seed that broke something: the trace of the same seed, played once more at once. */
  readonly againHash?: string;
}

export function reportOfSeed(seed: number, run: SeedRun, tookMs: number): SeedReport {
  const { record, violations, archived } = run;
  const ours = record.charges.filter((charge) => charge.origin === 'ours');
  return {
    seed,
    hash: run.hash,
    tookMs: Math.round(tookMs),
    charges: ours.length,
    successes: ours.filter((charge) => charge.state === 'succeeded').length,
    debts: record.debts.length,
    packed: archived.packed,
    putBack: archived.putBackByAnswer + archived.putBackToSend,
    violations,
    last: violations.length === 0 ? [] : run.last,
  };
}
