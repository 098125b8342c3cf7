import { type Belief, believe, cyclesCanPay, rampsCanPay } from './belief/belief.ts';
import type { BeliefParameters } from './belief/belief-parameters.ts';
import type { CoverageModel } from './coverage/coverage-model.ts';
import { type EncodedGroup, type Encodings, encode, groupKey } from './features/encodings.ts';
import { fillSlot, type PreparedFacts, prepareFacts, varyingPlaces } from './features/features.ts';
import { type PastUse, withKnownPast } from './features/known-past.ts';
import type { UsualAmounts } from './features/usual-amounts.ts';
import { dayOfHour, type HolidayCalendar } from './local-time.ts';
import type { RetryFacts } from './retry-facts.ts';
import type { BoostedTree } from './scoring/boosted-trees.ts';
import type { LogisticModel } from './scoring/logistic-model.ts';
import { type ScorerArrays, scorerArrays } from './scoring/scorer-arrays.ts';
import { openSlotMargin } from './scoring/slot-margin.ts';
import type { ModelMetrics } from './training/metrics.ts';

/** Raised when features or the shape of models change: models of another schema are not used. */
export const modelSchema = 2;

/** A trained policy, as plain JSON: what it believes, how it scores, and how good it was. */
export interface PolicyModel extends PastUse {
  readonly schema: number;
  /** Names the model in decision records. */
  readonly version: string;
  readonly belief: BeliefParameters;
  readonly encodings: Encodings;
  readonly usualAmounts: UsualAmounts;
  readonly logistic: LogisticModel;
  /** Trees that continue from the logistic model's log odds. */
  readonly trees: readonly BoostedTree[];
  /** The plain model of the same tries; absent in models from before it was. */
  readonly coverage?: CoverageModel;
  /** Which of them plans: the one that predicted held-out rows better. */
  readonly use: 'coverage' | 'logistic' | 'boosted';
  /** Share of open payments that cancel with each day, as its payments did; absent: the default. */
  readonly lossPerDay?: number;
  /** Rows that it was made from, the prior model's not counted. */
  readonly rows: number;
  /** On payments that it was not made from (`isHeldOut`). */
  readonly metrics: {
    readonly coverage?: ModelMetrics;
    readonly logistic: ModelMetrics;
    readonly boosted: ModelMetrics;
  };
}

/** How well the part of a model that plans predicted held-out tries. */
export function metricsInUse({ metrics, use }: PolicyModel): ModelMetrics {
  return metrics[use] ?? metrics.logistic;
}

/** A decision made ready for scoring: believe once, score many slots. */
export interface Scorer {
  readonly prepared: PreparedFacts;
  /**
   * The chance of an approval at a local hour; `believed` is the mean of the belief's chances at that
   * hour, where it is known.
   */
  score(hour: number, believed?: number): number;
  /** Of the slot that was scored last. */
  features(): Float64Array;
}

/** Believes once what is known of a payment; the scorer is valid until its `arrays` are given to another. */
export function openScorer(
  model: PolicyModel,
  calendar: HolidayCalendar,
  known: RetryFacts,
  arrays: ScorerArrays = scorerArrays(),
): Scorer {
  const facts = withKnownPast(known, model);
  const prepared = prepareFacts({
    facts,
    belief: believe(model.belief, calendar, facts, arrays.belief),
    calendar,
    falseDecline: model.belief.falseDecline,
    encodingOf: encodingsOf(model.encodings),
    usualAmounts: model.usualAmounts,
    arrays: arrays.features,
  });
  const features = prepared.base.slice();
  const marginOf = openSlotMargin(model, prepared.base, varyingPlaces(prepared), arrays);
  const believedAt = believedByDay(calendar, prepared.belief);
  return {
    prepared,
    score: (hour, believed = believedAt(hour)) => {
      fillSlot(prepared, hour, believed, features, 0);
      return chanceOf(marginOf(features));
    },
    features: () => features,
  };
}

/** The mean chance that the account can pay at a local hour; hours of one day share what its rhythms bring. */
function believedByDay(calendar: HolidayCalendar, belief: Belief): (hour: number) => number {
  let known = Number.NaN;
  let ofDay = 0;
  return (hour) => {
    const day = dayOfHour(hour);
    if (day !== known) {
      known = day;
      ofDay = cyclesCanPay(calendar, belief, day);
    }
    return ofDay + rampsCanPay(belief, hour);
  };
}

/** The chance from 0 to 1 of log odds. */
export function chanceOf(margin: number): number {
  return 1 / (1 + Math.exp(-margin));
}

function encodingsOf({ groups }: Encodings): (facts: RetryFacts, group: EncodedGroup) => number {
  return (facts, group) => {
    const key = groupKey(facts, group);
    if (key === undefined || !Object.hasOwn(groups[group], key)) return 0;
    return encode(groups[group][key]);
  };
}
