import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideLearned } from '../../../src/policy/learned/decide-learned.ts';
import type { Plan } from '../../../src/policy/plan.ts';
import { learnedInputs } from './learned-inputs.ts';

/**
 * Decisions are kept under the version of their model, and training weighs them by what that version
 * would do. So a change of code that changes plans has to be meant: it changes this digest, and says
 * so in the changelog. A change that is meant to change nothing leaves it as it is.
 */
it('plans are the same, to the last digit, as those of the version before', () => {
  const plans = fc.sample(learnedInputs, { seed: 20_261_122, numRuns: 400 }).map(decideLearned);
  const arms = countBy(plans, ({ decision }) => decision.arm ?? 'none');
  const kinds = countBy(plans, ({ kind }) => kind);
  const digest = createHash('sha256').update(JSON.stringify(plans)).digest('hex');
  expect({ arms, kinds, digest }).toEqual({
    arms: { explore: 21, fallback: 22, holdout: 173, learned: 184 },
    kinds: { attempt: 142, exhausted: 133, wait_for_update: 125 },
    digest: 'a6e4af1b663f8268e9d40edf04d989b1ba77a8101abd1136c290eca6a4db6ce7',
  });
});

function countBy(plans: readonly Plan[], of: (plan: Plan) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of plans.map(of).sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
