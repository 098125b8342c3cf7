import { evenDays } from '../../domain/merchant.ts';
import { dayPolicy } from '../../simulator/policies/fixed-family.ts';
import { runWorld } from '../../simulator/run-world.ts';
import { summarise } from '../../simulator/summarise.ts';

/** Schedules in use, by days after the failure. */
const schedules: readonly (readonly number[])[] = [
  [1, 2, 3, 4, 5, 6, 7, 8],
  [1, 3, 5, 7],
  [2, 5, 9, 14],
  [3, 7, 14, 21],
  [4, 9, 15, 21],
  [7, 14, 21, 28],
  [3, 6, 9, 12, 15, 18, 21, 24],
  [1, 2, 3, 5, 7, 9, 11, 14],
];
const failures = 10_000;

/** The schedule that recovers most in another world of the same kind: a merchant's best one. */
export function bestFixedDays(input: {
  readonly seed: number;
  readonly windowDays: number;
  readonly maxAttempts: number;
}): readonly number[] {
  const { windowDays, maxAttempts } = input;
  const seed = input.seed + 1_000_003;
  const known = [
    evenDays(windowDays, maxAttempts),
    ...schedules.map((days) => days.filter((day) => day <= windowDays).slice(0, maxAttempts)),
  ];
  const judged = known.map((days) => {
    const policy = dayPolicy(days.join('_'), windowDays, days);
    const { recoveredShare } = summarise(runWorld({ seed, failures, days: windowDays, policy }));
    return { days, recoveredShare };
  });
  return judged.reduce((best, item) => (item.recoveredShare > best.recoveredShare ? item : best))
    .days;
}
