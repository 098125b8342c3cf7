import { backTest } from '../../src/backtest/back-test.ts';
import { learnedPolicy } from '../../src/backtest/learned.ts';
import { codeAwarePolicy, daysPolicy, evenPolicy } from '../../src/backtest/policies.ts';
import { readHistory } from '../../src/backtest/read-history.ts';
import { namedDays } from '../../src/simulator/policies/fixed-family.ts';
import { serve } from '../kit/serve.ts';

export interface BacktestResult {
  readonly rows: number;
  readonly failures: number;
  readonly readMs: number;
  readonly allMs: number;
  /** The most memory that the process ever held. */
  readonly peakBytes: number;
}

/** Reads and tests a history as the command does, with every policy under its usual terms. */
async function test(input: { readonly path: string }): Promise<BacktestResult> {
  const startedAtMs = performance.now();
  const read = await readHistory({ path: input.path, shape: 'auto', timeZone: 'UTC' });
  if (read.kind !== 'read') throw new Error(`the history was not read: ${read.kind}`);
  const readMs = performance.now() - startedAtMs;
  const { history } = read;
  const terms = [14, 28].flatMap((windowDays) =>
    [4, 8].map((maxAttempts) => ({ windowDays, maxAttempts })),
  );
  const policies = [
    ...Object.entries(namedDays).map(([name, days]) => daysPolicy(name, days)),
    evenPolicy,
    codeAwarePolicy,
    learnedPolicy(history, { windowDays: 28, maxAttempts: 8 }),
  ];
  const common = { history, policies, terms, toleranceHours: 12, seed: 1 };
  const { counts } = backTest({ ...common, maxDecisions: 100_000 });
  return {
    rows: read.report.rows,
    failures: counts.failures,
    readMs,
    allMs: performance.now() - startedAtMs,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
}

const calls = { test };
export type BacktestCalls = typeof calls;

serve(calls, async () => undefined);
