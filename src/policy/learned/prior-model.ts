import type { PolicyModel } from './policy-model.ts';
import trained from './prior-model.json' with { type: 'json' };

/**
 * The model that ships: merchants' own models begin from it; it plans no payment itself until one of
 * them is trained. Made by `npm run bench -- prior`, from simulated worlds only.
 */
export const priorModel: PolicyModel = trained as PolicyModel;
