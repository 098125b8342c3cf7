import { defaultShares } from '../../domain/merchant.ts';
import { roughMinorOfCents } from '../../domain/places/rough-rates.ts';
import type { HolidayCalendar } from './local-time.ts';
import type { Economics } from './plan-slots.ts';
import type { PolicyModel } from './policy-model.ts';
import type { PaymentFacts } from './retry-facts.ts';

/** A merchant's learned policy: the model in use and the merchant's choices around it. */
export interface LearnedPolicy {
  readonly model: PolicyModel;
  readonly calendar: HolidayCalendar;
  /** The merchant's best fixed schedule: of the holdout, and where the model is not trusted. */
  readonly bestFixedDays: readonly number[];
  /** Share of payments that stay on it for ever, to compare with. */
  readonly holdoutShare: number;
  /** Share of payments that the model plans, the others being held out; at most 1 - `holdoutShare`. */
  readonly learnedShare: number;
  /** Of the segments that have a share of their own. */
  readonly segmentShares?: Readonly<Record<string, number>>;
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
  /** Authorisation and network fees of a try, in US cents; in other currencies as much, roughly. */
  readonly feeCents: number;
  /** What the subscribers who leave for one failed try would still have paid, over the amount. */
  readonly annoyanceShare: number;
  /** Share of open payments that are lost with each day of waiting. */
  readonly lossPerDay: number;
}

/**
 * The shares of a merchant that has chosen none, and as costs 5 cents a try and 0.2 % of the amount for
 * a failed one, which are guesses (of the simulated payers one in eighty cancels after it, and about
 * one in six of those would have paid), and 0.4 % of the open payments lost with each day, as in the
 * simulated world, until a merchant's own cancellations say more (`lossPerDayOf`).
 */
export const learnedDefaults = {
  holdoutShare: defaultShares.holdout,
  exploreShare: defaultShares.explore,
  costs: { feeCents: 5, annoyanceShare: 0.002, lossPerDay: 0.004 },
} as const;

/** Days of open payments that the default counts for, beside a merchant's own. */
const defaultDays = 1_000;

/** Share of the open payments that are lost with each day, from a merchant's own cancellations. */
export function lossPerDayOf({
  cancelled,
  openDays,
}: {
  readonly cancelled: number;
  readonly openDays: number;
}): number {
  const usual = learnedDefaults.costs.lossPerDay;
  return (cancelled + usual * defaultDays) / (Math.max(0, openDays) + defaultDays);
}

/** The share of the payments of a segment that the model plans. */
export function learnedShareOf(
  { learnedShare, segmentShares }: Pick<LearnedPolicy, 'learnedShare' | 'segmentShares'>,
  { segment }: Pick<PaymentFacts, 'segment'>,
): number {
  if (segment === undefined || segmentShares === undefined) return learnedShare;
  const own = Object.hasOwn(segmentShares, segment) ? segmentShares[segment] : undefined;
  return own ?? learnedShare;
}

/** What a try and a day cost one payment; no fee counts in a currency of which no rate is known. */
export function economicsOf(
  { feeCents, annoyanceShare, lossPerDay }: LearnedCosts,
  { amountMinor, currency }: Pick<PaymentFacts, 'amountMinor' | 'currency'>,
): Economics {
  const feeMinor = roughMinorOfCents(feeCents, currency) ?? 0;
  return { feeShare: feeMinor / Math.max(1, amountMinor), annoyanceShare, lossPerDay };
}
