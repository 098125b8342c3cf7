import { endNames, type PlayedWorld } from './run-world.ts';

/** What a run came to. Shares are from 0 to 1; amounts are minor units of one currency. */
export interface Summary {
  readonly policy: string;
  readonly failures: number;
  readonly failedMinor: number;
  readonly recoveredMinor: number;
  readonly recoveredAmountShare: number;
  readonly recovered: number;
  readonly recoveredShare: number;
  /** Recovered by a retry, of all failures. */
  readonly byRetryShare: number;
  readonly cancelledShare: number;
  readonly cancelledMinor: number;
  readonly tries: number;
  readonly triesPerFailure: number;
  /** Undefined where no retry recovered anything. */
  readonly triesPerRecovery: number | undefined;
  readonly meanDays: number | undefined;
  readonly medianDays: number | undefined;
  /** Of the recovered, those within 10 days. */
  readonly within10DaysShare: number | undefined;
  readonly feesMicros: number;
  /** Tries that a network's rule refused, though the policy asked for them. */
  readonly refusals: number;
  /** By the response code of the first charge, the most frequent one first. */
  readonly codes: readonly CodeSummary[];
}

export interface CodeSummary {
  readonly code: string;
  readonly failures: number;
  readonly recovered: number;
  readonly recoveredShare: number;
  readonly tries: number;
}

const [byRetry, byPayer, cancelled] = [
  endNames.indexOf('recovered_by_retry'),
  endNames.indexOf('paid_by_payer'),
  endNames.indexOf('cancelled'),
];

export function summarise(played: PlayedWorld): Summary {
  const { policy, failures, amountsMinor, ends, endHours, refusals } = played;
  const isRecovered = (index: number) => ends[index] === byRetry || ends[index] === byPayer;
  const days: number[] = [];
  let [recoveredMinor, cancelledMinor, retried] = [0, 0, 0];
  ends.forEach((end, index) => {
    if (end === cancelled) cancelledMinor += amountsMinor[index] ?? 0;
    if (!isRecovered(index)) return;
    days.push((endHours[index] ?? 0) / 24);
    recoveredMinor += amountsMinor[index] ?? 0;
    if (end === byRetry) retried += 1;
  });
  days.sort((a, b) => a - b);
  const failedMinor = sum(amountsMinor);
  const tries = sum(played.tries);
  return {
    policy,
    failures,
    failedMinor,
    recoveredMinor,
    recoveredAmountShare: ratio(recoveredMinor, failedMinor) ?? 0,
    recovered: days.length,
    recoveredShare: ratio(days.length, failures) ?? 0,
    byRetryShare: ratio(retried, failures) ?? 0,
    cancelledShare: ratio(ends.filter((end) => end === cancelled).length, failures) ?? 0,
    cancelledMinor,
    tries,
    triesPerFailure: ratio(tries, failures) ?? 0,
    triesPerRecovery: ratio(tries, retried),
    meanDays: ratio(sum(days), days.length),
    medianDays: days[Math.floor(days.length / 2)],
    within10DaysShare: ratio(days.filter((day) => day <= 10).length, days.length),
    feesMicros: sum(played.feesMicros),
    refusals,
    codes: byCode(played, isRecovered),
  };
}

function byCode(
  { firstCodes, tries }: PlayedWorld,
  isRecovered: (index: number) => boolean,
): readonly CodeSummary[] {
  const counts = new Map<string, { failures: number; recovered: number; tries: number }>();
  firstCodes.forEach((code, index) => {
    const count = counts.get(code) ?? { failures: 0, recovered: 0, tries: 0 };
    count.failures += 1;
    count.tries += tries[index] ?? 0;
    if (isRecovered(index)) count.recovered += 1;
    counts.set(code, count);
  });
  return [...counts]
    .map(([code, count]) => ({
      code,
      ...count,
      recoveredShare: count.recovered / count.failures,
    }))
    .sort((a, b) => b.failures - a.failures || (a.code < b.code ? -1 : 1));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
