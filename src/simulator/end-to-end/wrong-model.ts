import { plainCoverage } from '../../policy/learned/coverage/coverage-model.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';

/**
 * A model that is wrong on purpose, though its figures are those of a good one: it holds a decline for
 * no news of the hours after it, so that all tries are spent within hours of the failure.
 */
export function wrongModel(model: PolicyModel): PolicyModel {
  const coverage = { ...plainCoverage, reachDays: plainCoverage.reachDays.map(() => 0) };
  return { ...model, use: 'coverage', coverage };
}
