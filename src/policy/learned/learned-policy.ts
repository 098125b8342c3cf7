import type { HolidayCalendar } from './local-time.ts';
import type { Economics } from './plan-slots.ts';
import type { PolicyModel } from './policy-model.ts';

/** A merchant's learned policy: the model in use and the merchant's choices around it. */
export interface LearnedPolicy {
  readonly model: PolicyModel;
  readonly calendar: HolidayCalendar;
  /** The merchant's best fixed schedule: of the holdout, and where the model is not trusted. */
  readonly bestFixedDays: readonly number[];
  /** Share of payments that stay on it for ever, to compare with. */
  readonly holdoutShare: number;
  /** Share of decisions that take a slot by chance, to learn from. */
  readonly exploreShare: number;
  /** Splits payments; another one for each merchant and experiment. */
  readonly salt: string;
  readonly costs: LearnedCosts;
  /** `cover` plans all tries together; `greedy` takes the best single slot, to compare with. */
  readonly planner?: 'cover' | 'greedy';
  /** Why the model is not to be used, from the drift monitor; absent while it is. */
  readonly distrust?: string;
}

export interface LearnedCosts {
  /** Authorisation and network fees of a try, in minor units of the payment's currency. */
  readonly feeMinor: number;
  /** Worth of the subscribers who leave for a failed try, over the amount. */
  readonly annoyanceShare: number;
  /** Share of open payments that are lost with each day of waiting. */
  readonly lossPerDay: number;
}

/**
 * A holdout of 10 %, exploration of 7 % (the field's habit is 5 to 10 %), 10 cents a try, 0.8 %
 * of the amount for each failed try, and 1.8 % of the open payments lost with each day (by
 * cancelling, or because money that is there today is spent tomorrow): guesses, to be set by merchants.
 */
export const learnedDefaults = {
  holdoutShare: 0.1,
  exploreShare: 0.07,
  costs: { feeMinor: 10, annoyanceShare: 0.008, lossPerDay: 0.018 },
} as const;

export function economicsOf(
  { feeMinor, annoyanceShare, lossPerDay }: LearnedCosts,
  amountMinor: number,
): Economics {
  return { feeShare: feeMinor / Math.max(1, amountMinor), annoyanceShare, lossPerDay };
}
