import { believe } from './belief/belief.ts';
import type { BeliefParameters } from './belief/belief-parameters.ts';
import { type EncodedGroup, type Encodings, encode, groupKey } from './features/encodings.ts';
import { featureCount } from './features/feature-names.ts';
import { type PreparedFacts, prepareFacts, slotFeatures } from './features/features.ts';
import type { HolidayCalendar } from './local-time.ts';
import type { RetryFacts } from './retry-facts.ts';
import { type BoostedTree, boostedMargin } from './training/boosting.ts';
import { type LogisticModel, logisticMargin } from './training/logistic.ts';
import type { ModelMetrics } from './training/metrics.ts';

/** Raised when features or the shape of models change: models of another schema are not used. */
export const modelSchema = 1;

/** A trained policy, as plain JSON: what it believes, how it scores, and how good it was. */
export interface PolicyModel {
  readonly schema: number;
  /** Names the model in decision records. */
  readonly version: string;
  readonly belief: BeliefParameters;
  readonly encodings: Encodings;
  readonly logistic: LogisticModel;
  /** Trees that continue from the logistic model's log odds. */
  readonly trees: readonly BoostedTree[];
  /** Which of the two foretold held-out rows better. */
  readonly use: 'logistic' | 'boosted';
  /** Rows that it was made from, the prior model's not counted. */
  readonly rows: number;
  /** Of both, on payments that it was not made from (`isHeldOut`). */
  readonly metrics: { readonly logistic: ModelMetrics; readonly boosted: ModelMetrics };
}

/** A decision made ready for scoring: believe once, score many slots. */
export interface Scorer {
  readonly prepared: PreparedFacts;
  /** The chance of an approval at a local hour; `features()` are those of the last slot. */
  score(hour: number): number;
  /** The chance under the belief alone, of the last slot. */
  believed(): number;
  features(): Float64Array;
  /** The chance of any row of features. */
  chanceOf(features: Float64Array): number;
}

export function openScorer(
  model: PolicyModel,
  calendar: HolidayCalendar,
  facts: RetryFacts,
): Scorer {
  const prepared = prepareFacts({
    facts,
    belief: believe(model.belief, calendar, facts),
    calendar,
    falseDecline: model.belief.falseDecline,
    encodingOf: encodingsOf(model.encodings),
  });
  const features = new Float64Array(featureCount);
  let believed = 0;
  return {
    prepared,
    score: (hour) => {
      believed = slotFeatures(prepared, hour, features);
      return scoreSlot(model, features);
    },
    believed: () => believed,
    features: () => features,
    chanceOf: (row) => scoreSlot(model, row),
  };
}

/** The chance from 0 to 1 that a charge with these features is approved. */
export function scoreSlot(model: PolicyModel, features: Float64Array | Float32Array): number {
  const margin =
    logisticMargin(model.logistic, features) +
    (model.use === 'boosted' ? boostedMargin(model.trees, features) : 0);
  return 1 / (1 + Math.exp(-margin));
}

function encodingsOf({ groups }: Encodings): (facts: RetryFacts, group: EncodedGroup) => number {
  return (facts, group) => {
    const key = groupKey(facts, group);
    if (key === undefined || !Object.hasOwn(groups[group], key)) return 0;
    return encode(groups[group][key]);
  };
}
