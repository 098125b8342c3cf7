import { bestFixedDays } from './best-fixed-days.ts';
import { runWhole, type WholeResult } from './run-whole.ts';
import { wholeReport } from './whole-report.ts';

export interface SimulateWholeInput {
  readonly seed: number;
  readonly failures: number;
  readonly days: number;
  readonly onDay?: (day: number) => void;
}

/** A merchant's usual budget, and twice the shortest window in use. */
const [maxAttempts, windowDays] = [4, 28];
/** The last failures need some days to be recovered in. */
const maxTail = 14;
/** Wider than the service's default, so that a few thousand payments tell both arms apart. */
const holdoutShare = 0.3;
const exploreShare = 0.07;

/** Plays the whole service with the learned policy against the best fixed schedule. */
export async function simulateWhole(
  input: SimulateWholeInput,
): Promise<WholeResult & { readonly words: string }> {
  const { seed, days } = input;
  const fixedDays = bestFixedDays({ seed, windowDays, maxAttempts });
  const tailDays = Math.min(maxTail, Math.floor(days / 4));
  const result = await runWhole({
    ...input,
    tailDays,
    windowDays,
    maxAttempts,
    fixedDays,
    holdoutShare,
    exploreShare,
  });
  return { ...result, words: wholeReport(result, fixedDays) };
}
