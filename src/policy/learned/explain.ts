import type { LeadingFeature } from '../plan.ts';
import { type FeatureName, featureAt, featureWords } from './features/feature-names.ts';
import { type PolicyModel, scoreSlot } from './policy-model.ts';
import { rounded } from './rounded.ts';

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

/** The features that moved a slot's chance most, the strongest first; those below 0.5 % are left out. */
export function leadingFeatures(
  model: PolicyModel,
  features: Float64Array,
  count: number,
): readonly LeadingFeature[] {
  const chance = scoreSlot(model, features);
  return groups
    .map((group) => {
      const feature = leader(model, group, features);
      return {
        feature,
        words: featureWords[feature],
        value: features[featureAt[feature]] ?? 0,
        effect: chance - chanceWithout(model, features, group),
      };
    })
    .filter(({ effect }) => Math.abs(effect) >= 0.005)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, count)
    .map((item) => ({ ...item, value: rounded(item.value), effect: rounded(item.effect) }));
}

/** The chance with a group's features at their means. */
function chanceWithout(
  model: PolicyModel,
  features: Float64Array,
  group: readonly FeatureName[],
): number {
  const moved = features.slice();
  for (const name of group) {
    moved[featureAt[name]] = model.logistic.means[featureAt[name]] ?? 0;
  }
  return scoreSlot(model, moved);
}

/** The feature of a group that is farthest from its mean. */
function leader(
  { logistic }: PolicyModel,
  group: readonly FeatureName[],
  features: Float64Array,
): FeatureName {
  const distance = (name: FeatureName): number => {
    const at = featureAt[name];
    return Math.abs(
      ((features[at] ?? 0) - (logistic.means[at] ?? 0)) / (logistic.deviations[at] ?? 1),
    );
  };
  return group.reduce((a, b) => (distance(b) > distance(a) ? b : a), group[0] ?? 'hour');
}
