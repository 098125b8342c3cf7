import type { PolicyModel } from './policy-model.ts';
import trained from './prior-model.json' with { type: 'json' };

/**
 * The model that ships: a merchant's first payment is planned by it, and their own models begin from
 * it. Made by `npm run bench -- prior`, from simulated worlds only.
 */
export const priorModel: PolicyModel = trained as PolicyModel;
