import { bestFixedDays } from './best-fixed-days.ts';
import { endToEndReport } from './end-to-end-report.ts';
import { type EndToEndResult, runEndToEnd } from './run-end-to-end.ts';

export interface SimulateEndToEndInput {
  readonly seed: number;
  readonly failures: number;
  readonly days: number;
  /** Every model is wrong on purpose, and has to earn its traffic like any other. */
  readonly isWrong?: boolean;
  readonly onDay?: (day: number) => void;
}

/** A merchant's usual budget, and twice the shortest window in use. */
const [maxAttempts, usualWindowDays] = [4, 28];
/** Steps are judged by payments whose windows have ended: so more than one of them is within two months. */
const steppingWindowDays = 14;
/** The last failures need some days to be recovered in. */
const maxTail = 14;
/** Wider than the service's default, so that a few thousand payments tell both arms apart. */
const holdoutShare = 0.3;
const exploreShare = 0.07;

/** Plays the whole service with the learned policy against the best fixed schedule. */
export async function simulateEndToEnd(
  input: SimulateEndToEndInput,
): Promise<EndToEndResult & { readonly words: string }> {
  const { seed, days, isWrong = false } = input;
  const windowDays = isWrong ? steppingWindowDays : usualWindowDays;
  const fixedDays = bestFixedDays({ seed, windowDays, maxAttempts });
  const tailDays = Math.min(maxTail, Math.floor(days / 4));
  const result = await runEndToEnd({
    ...input,
    tailDays,
    windowDays,
    maxAttempts,
    fixedDays,
    holdoutShare,
    exploreShare,
    ...(!isWrong && { learnedShare: 1 }),
  });
  return { ...result, words: endToEndReport(result, fixedDays) };
}
