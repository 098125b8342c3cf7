import { evenDays, type PolicySettings } from '../../domain/merchant.ts';
import { decideLearned } from '../../policy/learned/decide-learned.ts';
import { type LearnedPolicy, learnedDefaults } from '../../policy/learned/learned-policy.ts';
import type { HolidayCalendar } from '../../policy/learned/local-time.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import type { CardFacts, PaymentFacts } from '../../policy/learned/retry-facts.ts';
import { floorHourOf, instantOf } from '../calendar.ts';
import { type Observed, paymentMethodId, type SimulatedPolicy, toPlanInput } from '../observed.ts';

export interface LearnedPolicyInput {
  readonly name?: string;
  readonly model: PolicyModel;
  readonly calendar: HolidayCalendar;
  readonly windowDays: number;
  readonly maxAttempts: number;
  readonly policy?: Partial<LearnedPolicy>;
}

/** The service's own learned policy, by its own code; without holdout and exploration unless asked. */
export function learnedPolicy(input: LearnedPolicyInput): SimulatedPolicy {
  const { model, calendar, windowDays, maxAttempts } = input;
  const policy: LearnedPolicy = {
    ...learnedDefaults,
    model,
    calendar,
    bestFixedDays: evenDays(windowDays, maxAttempts),
    salt: 'simulator',
    holdoutShare: 0,
    learnedShare: 1,
    exploreShare: 0,
    ...input.policy,
  };
  const settings: PolicySettings = { kind: 'fixed', windowDays, maxAttempts, fixedDays: [] };
  return {
    name: input.name ?? 'learned',
    next: (observed) => {
      const plan = decideLearned({
        plan: toPlanInput(observed, settings),
        payment: paymentFacts(observed),
        cards: { [paymentMethodId]: cardFacts(observed) },
        policy,
      });
      switch (plan.kind) {
        case 'attempt':
          return { kind: 'try', hour: floorHourOf(plan.at) };
        case 'wait_for_update':
          return { kind: 'wait' };
        case 'exhausted':
          return { kind: 'stop' };
      }
    },
  };
}

export function paymentFacts({ payment, amountMinor, past }: Observed): PaymentFacts {
  return {
    paymentId: `payment-${payment}`,
    merchantId: 'merchant',
    amountMinor,
    currency: 'USD',
    utcOffsetMinutes: 0,
    past: pastCharges(past, amountMinor),
  };
}

const seenPasts = new WeakMap<Observed['past'], PaymentFacts['past']>();

/** One list for all tries of a payment, as in the service: a million rows with one each fill gigabytes. */
function pastCharges(past: Observed['past'], amountMinor: number): PaymentFacts['past'] {
  const seen = seenPasts.get(past);
  if (seen !== undefined) return seen;
  const charges = past.map(({ hour, succeeded }) => ({
    atMs: instantOf(hour).getTime(),
    succeeded,
    lackedFunds: !succeeded,
    amountMinor,
  }));
  seenPasts.set(past, charges);
  return charges;
}

export function cardFacts({ network, cardFunding, bin }: Observed): CardFacts {
  return { brand: network, funding: cardFunding, bin };
}
