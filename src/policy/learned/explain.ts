import type { LeadingFeature } from '../plan.ts';
import {
  type FeatureName,
  featureAt,
  featureCount,
  featureLabels,
} from './features/feature-names.ts';
import { chanceOf, type PolicyModel } from './policy-model.ts';
import { rounded } from './rounded.ts';
import { marginsWithout } from './scoring/margins-without.ts';

/** Features that say one thing, moved together. */
const groups: readonly (readonly FeatureName[])[] = [
  ['belief_logit', 'belief_chance', 'belief_low', 'never', 'paydays'],
  ['payday_today', 'payday_lately', 'payday_early', 'debit_payday'],
  ['hour', 'night', 'early', 'evening'],
  ['since_failure', 'funds_since', 'generic_since', 'credit_since'],
  ['gap', 'within_day', 'many_in_week', 'tries'],
  ['month_start', 'month_middle', 'month_end'],
  ['friday', 'monday', 'business_day'],
  ['code_funds', 'code_generic', 'code_technical', 'last_technical', 'last_funds', 'renewed'],
  ['debit', 'credit', 'prepaid'],
  ['amount', 'amount_against_past'],
  ['past_successes', 'past_same_days', 'past_same_hours'],
  ['advised', 'past_advice'],
  ['bin', 'issuer'],
  ['merchant', 'segment'],
];

const groupAt = new Int8Array(featureCount).fill(-1);
groups.forEach((names, group) => {
  for (const name of names) groupAt[featureAt[name]] = group;
});

/** The features that moved a slot's chance most, the strongest first; those below 0.5 % are left out. */
export function leadingFeatures(
  model: PolicyModel,
  features: Float64Array,
  count: number,
): readonly LeadingFeature[] {
  const { whole, without } = marginsWithout(model, features, groupAt, groups.length);
  const chance = chanceOf(whole);
  return groups
    .map((group, place) => ({ group, effect: chance - chanceOf(without[place] ?? 0) }))
    .filter(({ effect }) => Math.abs(effect) >= 0.005)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, count)
    .map(({ group, effect }) => {
      const feature = leader(model, group, features);
      const value = rounded(features[featureAt[feature]] ?? 0);
      return { feature, words: featureLabels[feature], value, effect: rounded(effect) };
    });
}

/** The feature of a group that is farthest from its mean. */
function leader(
  { logistic }: PolicyModel,
  group: readonly FeatureName[],
  features: Float64Array,
): FeatureName {
  let [leading, farthest]: [FeatureName, number] = [group[0] ?? 'hour', -1];
  for (const name of group) {
    const at = featureAt[name];
    const from = (features[at] ?? 0) - (logistic.means[at] ?? 0);
    const distance = Math.abs(from / (logistic.deviations[at] ?? 1));
    if (distance > farthest) [leading, farthest] = [name, distance];
  }
  return leading;
}
