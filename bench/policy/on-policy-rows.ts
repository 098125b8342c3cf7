import type { PolicyModel } from '../../src/policy/learned/policy-model.ts';
import type { TrainingRow } from '../../src/policy/learned/retry-facts.ts';
import type { Parameters } from '../../src/simulator/parameters.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';
import { calendar } from './compare.ts';

export interface OnPolicyInput {
  readonly model: PolicyModel;
  readonly seed: number;
  readonly failures: number;
  readonly maxAttempts: number;
  /** Of the window. */
  readonly days: number;
  readonly parameters?: Parameters;
  readonly merchantId?: string;
}

/** More than a merchant's default: a model that is made for others has more to find out. */
const exploreShare = 0.2;

/**
 * What the log of a merchant holds who already retries by a model: the tries that it chose, where a
 * model of random hours is too sure of itself. Weighed as they are, beside those of random hours.
 */
export function onPolicyRows(input: OnPolicyInput): readonly TrainingRow[] {
  const { model, seed, failures, maxAttempts, days, ...world } = input;
  const policy = { exploreShare, salt: `rows-${seed}` };
  const learned = learnedPolicy({ model, calendar, windowDays: days, maxAttempts, policy });
  const chance = { ...learned, maxAttempts, propensity: () => 1 };
  return trainingRows({ seed, failures, days, policy: chance, ...world });
}

/** Rows of several policies together are of no single one: each counts alike. */
export function unweighed(rows: readonly TrainingRow[]): readonly TrainingRow[] {
  return rows.map((row) => ({ ...row, propensity: 1 }));
}
