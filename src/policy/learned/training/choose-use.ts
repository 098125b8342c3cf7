import { coverageChance, coverageFacts } from '../coverage/coverage-model.ts';
import type { HolidayCalendar } from '../local-time.ts';
import { openScorer, type PolicyModel } from '../policy-model.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { profileLosses, slotProfiles } from './slot-profile.ts';

/** Fewer held-out tries cannot tell. */
const minJudged = 150;
/** Held-out tries that are weighed; more only sharpen what is clear. */
const maxJudged = 12_000;

/**
 * Which part of a model plans: the belief, only where its choice of days is surely better on held-out
 * tries than the plain coverage rule's. `model.use` says which form of the belief is meant.
 */
export function chooseUse(
  model: PolicyModel,
  rows: readonly TrainingRow[],
  calendar: HolidayCalendar,
): PolicyModel['use'] {
  const { coverage } = model;
  if (coverage === undefined || model.use === 'coverage') return model.use;
  if (rows.length < minJudged) return 'coverage';
  const step = Math.ceil(rows.length / maxJudged);
  const judged = rows.filter((_, at) => at % step === 0);
  const plain = slotProfiles(judged, (facts) => {
    const known = coverageFacts(facts);
    return (hour) => coverageChance(coverage, known, hour);
  });
  const belief = slotProfiles(judged, (facts) => {
    const scorer = openScorer(model, calendar, facts);
    return (hour) => scorer.score(hour);
  });
  const { metrics, use } = model;
  const beliefLoss = metrics[use]?.logLoss ?? Number.POSITIVE_INFINITY;
  const levels = beliefLoss < (metrics.coverage?.logLoss ?? 0) ? belief : plain;
  const gains = profileLosses(judged, plain, levels);
  profileLosses(judged, belief, levels).forEach((loss, at) => {
    gains[at] = (gains[at] ?? 0) - loss;
  });
  return isSurelyAbove(gains) ? use : 'coverage';
}

/** Deviations of the mean that the plain rule is given the benefit of. */
const minDeviations = 2;

/** Whether the mean of gains is above 0 by two of its deviations. */
export function isSurelyAbove(gains: Float64Array): boolean {
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  return mean > (minDeviations * Math.sqrt(squares)) / gains.length;
}
