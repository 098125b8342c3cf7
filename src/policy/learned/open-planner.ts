import type { LeadingFeature } from '../plan.ts';
import { advisedWaits } from './advised-waits.ts';
import { coverageChance, coverageFacts } from './coverage/coverage-model.ts';
import { leadingFactors } from './coverage/leading-factors.ts';
import { planCoverage } from './coverage/plan-coverage.ts';
import { leadingFeatures } from './explain.ts';
import type { LearnedPolicy } from './learned-policy.ts';
import type { HolidayCalendar } from './local-time.ts';
import { type Economics, greedySlot, planSlots, type SlotPlan } from './plan-slots.ts';
import { openScorer, type PolicyModel } from './policy-model.ts';
import type { RetryFacts } from './retry-facts.ts';
import type { ScorerArrays } from './scoring/scorer-arrays.ts';

/** A decision made ready for its model, whichever kind that is. Hours are local. */
export interface OpenPlanner {
  /** The tries worth making between two hours, both included; undefined where none is. */
  plan(fromHour: number, toHour: number): SlotPlan | undefined;
  /** The chance of an approval at an hour, from 0 to 1. */
  chanceAt(hour: number): number;
  /** What moved that chance most, the strongest first. */
  leadingAt(hour: number): readonly LeadingFeature[];
}

const maxLeading = 5;

/**
 * The planner of one decision, by the coverage rule or by the scorer, as the model says. `arrays` may be those of
 * an earlier decision that is over.
 */
export function openPlanner(
  { model, calendar, planner }: Pick<LearnedPolicy, 'model' | 'calendar' | 'planner'>,
  facts: RetryFacts,
  economics: Economics,
  arrays?: ScorerArrays,
): OpenPlanner {
  const { triesLeft } = facts;
  const { coverage } = model;
  if (model.use === 'coverage' && coverage !== undefined) {
    const known = coverageFacts(facts);
    return {
      plan: (fromHour, toHour) =>
        planCoverage({
          model: coverage,
          facts: known,
          fromHour,
          toHour,
          triesLeft,
          lossPerDay: economics.lossPerDay,
        }),
      chanceAt: (hour) => coverageChance(coverage, known, hour),
      leadingAt: (hour) => leadingFactors(coverage, known, hour).slice(0, maxLeading),
    };
  }
  const scorer = openScorer(model, calendar, facts, arrays);
  const { belief } = scorer.prepared;
  const choose = planner === 'greedy' ? greedySlot : planSlots;
  return {
    plan: (fromHour, toHour) => {
      const waits = advisedWaits({ parameters: model.belief, calendar, belief, facts });
      return choose({ scorer, fromHour, toHour, triesLeft, economics, waits });
    },
    chanceAt: (hour) => scorer.score(hour),
    leadingAt: (hour) => {
      scorer.score(hour);
      return leadingFeatures(model, scorer.features(), maxLeading);
    },
  };
}

/** The chance that a model gives one try, from 0 to 1. */
export function chanceOfTry(
  model: PolicyModel,
  calendar: HolidayCalendar,
  facts: RetryFacts,
  hour: number,
): number {
  return model.use === 'coverage' && model.coverage !== undefined
    ? coverageChance(model.coverage, coverageFacts(facts), hour)
    : openScorer(model, calendar, facts).score(hour);
}
