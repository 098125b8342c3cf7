import type { LeadingFeature } from '../../plan.ts';
import { dayOfHour, dayOfMonth, weekdayOf } from '../local-time.ts';
import { rounded } from '../rounded.ts';
import {
  type CoverageFacts,
  type CoverageModel,
  coverageChance,
  leftBesideAll,
} from './coverage-model.ts';

const minEffect = 0.005;

/** What moved a slot's chance most, the strongest first; effects below half a point are left out. */
export function leadingFactors(
  model: CoverageModel,
  facts: CoverageFacts,
  hour: number,
): readonly LeadingFeature[] {
  const chance = coverageChance(model, facts, hour);
  const day = dayOfHour(hour);
  const beside = leftBesideAll(model, facts, hour);
  const factors = [
    [
      'day_of_month',
      'how often tries pass around this day of the month',
      model.daysOfMonth[dayOfMonth(day) - 1] ?? 1,
    ],
    ['weekday', 'how often tries pass on this weekday', model.weekdays[weekdayOf(day)] ?? 1],
    [
      'tries',
      'how often tries pass after as many declines',
      model.tries[Math.min(facts.tries, model.tries.length - 1)] ?? 1,
    ],
    ['beside_declines', 'what declines on days near it leave of the chance', beside],
  ] as const;
  return factors
    .map(([feature, words, value]) => ({
      feature,
      words,
      value: rounded(value),
      effect: rounded(chance - Math.min(1, chance / Math.max(value, 0.01))),
    }))
    .filter(({ effect }) => Math.abs(effect) >= minEffect)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
}
