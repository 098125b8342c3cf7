import { type BeliefArrays, beliefArrays } from '../belief/belief.ts';
import { type FeatureArrays, featureArrays } from '../features/features.ts';
import type { PrunedTrees } from './slot-margin.ts';

/**
 * What one scorer is reckoned in. Whoever gives the same arrays again has done with the scorer before: they cost
 * more to make than to fill.
 */
export interface ScorerArrays {
  readonly belief: BeliefArrays;
  readonly features: FeatureArrays;
  /** Of the model that was scored last. */
  trees?: PrunedTrees;
}

/** Fresh arrays for a scorer. */
export function scorerArrays(): ScorerArrays {
  return { belief: beliefArrays(), features: featureArrays() };
}
