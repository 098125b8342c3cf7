import { dayMs } from '../../domain/clock.ts';
import { dayOfMonth } from '../../policy/learned/local-time.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import { instantOf } from '../calendar.ts';
import type { SimulatedPolicy } from '../observed.ts';
import { gatedPolicy } from './simple-policies.ts';

/**
 * The plain rule to compare with: the days of the month on which logged tries passed most often, at
 * least half an even part of the window apart.
 */
export function dayOfMonthPolicy(
  rows: readonly TrainingRow[],
  { windowDays, maxAttempts }: { readonly windowDays: number; readonly maxAttempts: number },
): SimulatedPolicy {
  const shares = passShares(rows);
  const apart = windowDays / maxAttempts / 2;
  return gatedPolicy('day_of_month', maxAttempts, ({ failedHour, tries }) => {
    const days = Array.from({ length: windowDays }, (_, at) => failedHour + (at + 1) * 24);
    const best = days.toSorted((a, b) => shareOf(shares, b) - shareOf(shares, a) || a - b);
    const chosen: number[] = [];
    for (const hour of best) {
      if (chosen.length === maxAttempts) break;
      if (chosen.every((other) => Math.abs(other - hour) >= apart * 24)) chosen.push(hour);
    }
    return chosen
      .filter((hour) => hour > (tries.at(-1)?.hour ?? failedHour))
      .sort((a, b) => a - b)[0];
  });
}

const shareOf = (shares: Float64Array, hour: number): number =>
  shares[dayOfMonth(Math.floor(instantOf(hour).getTime() / dayMs))] ?? 0;

/** By day of the month: the share of tries that passed on it and, by half, on the days beside it. */
function passShares(rows: readonly TrainingRow[]): Float64Array {
  const [passed, tried] = [new Float64Array(32).fill(2), new Float64Array(32).fill(10)];
  for (const { atMs, succeeded } of rows) {
    for (const [days, weight] of [
      [-1, 0.5],
      [0, 1],
      [1, 0.5],
    ] as const) {
      const date = dayOfMonth(Math.floor(atMs / dayMs) + days);
      tried[date] = (tried[date] ?? 0) + weight;
      passed[date] = (passed[date] ?? 0) + (succeeded ? weight : 0);
    }
  }
  return passed.map((count, date) => count / (tried[date] ?? 1));
}
