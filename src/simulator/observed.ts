import type { Decline } from '../domain/declines/decline.ts';
import type { PolicySettings } from '../domain/merchant.ts';
import type { Blocked } from '../domain/network-rules/judge-charge.ts';
import { present } from '../domain/present.ts';
import type { CardFunding } from '../policy/learned/retry-facts.ts';
import type { PlanInput } from '../policy/plan.ts';
import { instantOf } from './calendar.ts';

/** All that a policy may see of a failed payment; nothing of what the world hides. */
export interface Observed {
  /** Numbers the payment in its world. */
  readonly payment: number;
  readonly nowHour: number;
  readonly failedHour: number;
  readonly windowEndHour: number;
  readonly amountMinor: number;
  readonly network: 'visa' | 'mastercard';
  readonly cardFunding: CardFunding;
  /** The first six digits of the card: issuers are told apart by them, and by nothing else. */
  readonly bin: string;
  /** Earlier charges of the payer, the oldest first. */
  readonly past: readonly PastObserved[];
  readonly firstDecline: Decline;
  /** Declined tries, the oldest first. */
  readonly tries: readonly ObservedTry[];
  /** When the account updater said that the card was replaced. */
  readonly renewedHour?: number;
  /** What the card's network has against a charge now. */
  readonly blocked?: Blocked;
}

export interface PastObserved {
  readonly hour: number;
  readonly succeeded: boolean;
}

export interface ObservedTry {
  readonly hour: number;
  readonly decline: Decline;
}

/** What a policy answers. A `wait` ends when the card is renewed. */
export type NextTry =
  | { readonly kind: 'try'; readonly hour: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'stop' };

/** A way to choose the next try, to be compared with others in the same world. */
export interface SimulatedPolicy {
  readonly name: string;
  next(observed: Observed): NextTry;
}

export const paymentMethodId = 'card';

/** The payment as the service's own policy sees it. */
export function toPlanInput(observed: Observed, settings: PolicySettings): PlanInput {
  const { renewedHour, blocked } = observed;
  return {
    now: instantOf(observed.nowHour),
    settings,
    failedAt: instantOf(observed.failedHour),
    windowEndsAt: instantOf(observed.windowEndHour),
    firstDecline: observed.firstDecline,
    tries: observed.tries.map(({ hour, decline }) => ({
      startedAt: instantOf(hour),
      endedAt: instantOf(hour),
      declines: [{ paymentMethodId, decline }],
    })),
    methods: [
      {
        paymentMethodId,
        failedFirst: true,
        ...(renewedHour !== undefined && { renewedAt: instantOf(renewedHour) }),
        ...present({ blocked }),
      },
    ],
  };
}
