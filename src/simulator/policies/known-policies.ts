import { holidayCalendar } from '../../policy/learned/local-time.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import { bankHolidays } from '../calendar.ts';
import type { SimulatedPolicy } from '../observed.ts';
import { codeAwarePolicy } from './code-aware.ts';
import { fixedFamily } from './fixed-family.ts';
import { learnedPolicy } from './learned.ts';
import { clairvoyant, latentOracle } from './oracles.ts';
import { noRetries, randomPolicy } from './simple-policies.ts';

const maxTries = 8;

const calendar = holidayCalendar(bankHolidays());

/**
 * Every policy that can be compared, for a window of so many days; the learned ones with the model
 * that ships, the oracles for the published world.
 */
export function knownPolicies(seed: number, windowDays: number): readonly SimulatedPolicy[] {
  const learned = { model: priorModel, calendar, windowDays, maxAttempts: maxTries };
  const oracle = { seed, days: windowDays, maxAttempts: maxTries };
  return [
    noRetries,
    ...fixedFamily(windowDays),
    randomPolicy(seed, maxTries),
    codeAwarePolicy(maxTries),
    learnedPolicy(learned),
    learnedPolicy({ ...learned, name: 'learned_greedy', policy: { planner: 'greedy' } }),
    latentOracle(oracle),
    clairvoyant(oracle),
  ];
}
