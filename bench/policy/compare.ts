import { holidayCalendar } from '../../src/policy/learned/local-time.ts';
import type { PolicyModel } from '../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { bankHolidays } from '../../src/simulator/calendar.ts';
import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { codeAwarePolicy } from '../../src/simulator/policies/code-aware.ts';
import { fixedCandidates } from '../../src/simulator/policies/fixed-candidates.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { clairvoyant, latentOracle } from '../../src/simulator/policies/oracles.ts';
import { noRetries, randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { play, type Result, type Setting } from './setting.ts';
import { heldOutWorlds } from './worlds.ts';

export const calendar = holidayCalendar(bankHolidays());

/** All policies in one setting. */
export interface Comparison {
  readonly setting: Setting;
  readonly fixed: Result;
  readonly learned: Result;
  readonly bound: Result;
  readonly all: readonly Result[];
}

/** Seeds of the world in which schedules are chosen and models are trained; no result is of them. */
export const trainingSeeds = [100, 101] as const;

/** Finds the schedule that recovers most in the training world, for a budget and a window. */
export function bestFixed(
  maxAttempts: number,
  windowDays: number,
  failures: number,
): SimulatedPolicy {
  const setting = {
    world: heldOutWorlds.base,
    maxAttempts,
    windowDays,
    seeds: trainingSeeds,
    failures,
  };
  const scored = fixedCandidates(windowDays, maxAttempts).map((policy) => {
    const { recovered } = play(setting, () => policy);
    return { policy, sum: recovered.reduce((total, value) => total + value, 0) };
  });
  return scored.reduce((a, b) => (b.sum > a.sum ? b : a)).policy;
}

/** Plays all policies, or those that the gap needs. */
export function compare(
  setting: Setting,
  input: { readonly model: PolicyModel; readonly best: SimulatedPolicy; readonly whole: boolean },
): Comparison {
  const { maxAttempts, windowDays, world } = setting;
  const learnedBy = (name: string, model: PolicyModel, planner: 'cover' | 'greedy') =>
    play(setting, () =>
      learnedPolicy({ name, model, calendar, windowDays, maxAttempts, policy: { planner } }),
    );
  const oracleOf = (seed: number) => ({
    seed,
    days: windowDays,
    maxAttempts,
    parameters: world.parameters,
  });
  const fixed = play(setting, () => input.best);
  const learned = learnedBy('learned', input.model, 'cover');
  const bound = play(setting, (seed) => clairvoyant(oracleOf(seed)));
  if (!input.whole) return { setting, fixed, learned, bound, all: [fixed, learned, bound] };
  const others = [noRetries, ...fixedCandidates(windowDays, maxAttempts)];
  const all = [
    ...others
      .filter(({ name }) => name !== input.best.name)
      .map((item) => play(setting, () => item)),
    play(setting, (seed) => randomPolicy(seed, maxAttempts)),
    play(setting, () => codeAwarePolicy(maxAttempts)),
    fixed,
    learnedBy('learned, greedy', input.model, 'greedy'),
    learnedBy('learned, prior only', priorModel, 'cover'),
    learned,
    play(setting, (seed) => latentOracle(oracleOf(seed))),
    bound,
  ];
  return { setting, fixed, learned, bound, all };
}
