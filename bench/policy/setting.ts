import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { endNames, type PlayedWorld, runWorld } from '../../src/simulator/run-world.ts';
import type { BenchWorld } from './worlds.ts';

/** One world with a budget and a window, and how much of it is played. */
export interface Setting {
  readonly world: BenchWorld;
  readonly maxAttempts: number;
  readonly windowDays: number;
  readonly seeds: readonly number[];
  /** Of each seed. */
  readonly failures: number;
}

/** One policy's results, payer by payer over all seeds, in the same order for every policy. */
export interface Result {
  readonly policy: string;
  /** 1 where the payment was recovered, by a retry or by the payer. */
  readonly recovered: Uint8Array;
  readonly amounts: Float64Array;
  readonly tries: number;
  readonly byRetry: number;
  readonly cancelled: number;
  readonly days: number;
  readonly feesMicros: number;
  readonly refusals: number;
}

const [byRetry, byPayer, cancelled] = [
  endNames.indexOf('recovered_by_retry'),
  endNames.indexOf('paid_by_payer'),
  endNames.indexOf('cancelled'),
];

/** Plays a policy in every seed of a setting; `policyOf` makes it for a seed. */
export function play(setting: Setting, policyOf: (seed: number) => SimulatedPolicy): Result {
  const { seeds, failures, windowDays: days, world } = setting;
  const runs = seeds.map((seed) =>
    runWorld({ seed, failures, days, policy: policyOf(seed), parameters: world.parameters }),
  );
  const recovered = new Uint8Array(seeds.length * failures);
  const amounts = new Float64Array(seeds.length * failures);
  const totals = { tries: 0, byRetry: 0, cancelled: 0, days: 0, feesMicros: 0, refusals: 0 };
  runs.forEach((run, at) => {
    addRun(run, at * failures, { recovered, amounts, totals });
  });
  return { policy: runs[0]?.policy ?? '', recovered, amounts, ...totals };
}

interface Sums {
  readonly recovered: Uint8Array;
  readonly amounts: Float64Array;
  readonly totals: Record<
    'tries' | 'byRetry' | 'cancelled' | 'days' | 'feesMicros' | 'refusals',
    number
  >;
}

function addRun(run: PlayedWorld, from: number, { recovered, amounts, totals }: Sums): void {
  for (let at = 0; at < run.failures; at += 1) {
    const end = run.ends[at];
    const isRecovered = end === byRetry || end === byPayer;
    recovered[from + at] = isRecovered ? 1 : 0;
    amounts[from + at] = run.amountsMinor[at] ?? 0;
    totals.tries += run.tries[at] ?? 0;
    totals.byRetry += end === byRetry ? 1 : 0;
    totals.cancelled += end === cancelled ? 1 : 0;
    totals.days += isRecovered ? (run.endHours[at] ?? 0) / 24 : 0;
    totals.feesMicros += run.feesMicros[at] ?? 0;
  }
  totals.refusals += run.refusals;
}
