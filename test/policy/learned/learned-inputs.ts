import fc from 'fast-check';
import { hourMs } from '../../../src/domain/clock.ts';
import { plainCoverage } from '../../../src/policy/learned/coverage/coverage-model.ts';
import type { LearnedInput } from '../../../src/policy/learned/deciding/learned-input.ts';
import { learnedDefaults } from '../../../src/policy/learned/learned-policy.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import type { CardFacts, PaymentFacts } from '../../../src/policy/learned/retry-facts.ts';
import { day, failedAt, planInput, planInputs } from '../plan-input.ts';

export const payment: PaymentFacts = {
  paymentId: 'in_1',
  merchantId: 'm_1',
  amountMinor: 2_000,
  currency: 'USD',
  utcOffsetMinutes: -300,
  past: [],
};

/** A payment that the shipped model plans, of a merchant that holds nothing out. */
export function learnedInput(change: Partial<LearnedInput> = {}): LearnedInput {
  return {
    plan: planInput(),
    payment,
    cards: { pm_1: { brand: 'visa', funding: 'debit', bin: '411111' } },
    policy: {
      ...learnedDefaults,
      model: priorModel,
      calendar: weekendCalendar,
      bestFixedDays: [5, 10, 15, 20],
      holdoutShare: 0,
      learnedShare: 1,
      exploreShare: 0,
      salt: 'test',
    },
    ...change,
  };
}

const cards: fc.Arbitrary<CardFacts> = fc.record(
  {
    brand: fc.constantFrom('visa', 'mastercard'),
    funding: fc.constantFrom('debit', 'credit', 'prepaid'),
    bin: fc.constantFrom('411111', '555555'),
    issuerHealth: fc.record({
      charges: fc.integer({ min: 0, max: 30 }),
      technical: fc.integer({ min: 0, max: 30 }),
      lastAtMs: fc
        .integer({ min: -24, max: 24 })
        .map((hours) => failedAt.getTime() + hours * hourMs),
    }),
  },
  { requiredKeys: [] },
);

const shares = fc
  .record({
    exploreShare: fc.constantFrom(0, 0.5, 1),
    holdoutShare: fc.constantFrom(0, 0, 0.5),
    learnedShare: fc.constantFrom(1, 1, 0.4, 0),
    planner: fc.constantFrom('cover' as const, 'cover' as const, 'greedy' as const),
    isDistrusted: fc.integer({ min: 1, max: 12 }).map((drawn) => drawn === 7),
  })
  .map(({ isDistrusted, ...chosen }) => ({
    ...chosen,
    ...(isDistrusted && { distrust: 'it drifted' }),
  }));

const models = fc.constantFrom(priorModel, priorModel, {
  ...priorModel,
  use: 'coverage' as const,
  coverage: plainCoverage,
});

/** Any payment under any learned policy: of each arm, of known cards and unknown, of issuers that are down. */
export const learnedInputs: fc.Arbitrary<LearnedInput> = fc
  .record({
    plan: planInputs,
    paymentId: fc.string({ maxLength: 8 }),
    amountMinor: fc.integer({ min: 1, max: 1_000_000 }),
    utcOffsetMinutes: fc.constantFrom(-480, 0, 330),
    past: fc.array(fc.record({ days: fc.integer({ min: 1, max: 400 }), succeeded: fc.boolean() }), {
      maxLength: 4,
    }),
    cards: fc.dictionary(fc.constantFrom('pm_1', 'pm_2', 'pm_3'), cards, { noNullPrototype: true }),
    model: models,
    shares,
  })
  .map(({ plan, past, cards: known, model, shares: chosen, ...drawn }) => {
    const base = learnedInput();
    return learnedInput({
      plan,
      cards: known,
      payment: {
        ...payment,
        ...drawn,
        past: past.map(({ days, succeeded }) => ({
          atMs: day(-days).getTime(),
          succeeded,
          lackedFunds: !succeeded,
          amountMinor: drawn.amountMinor,
        })),
      },
      policy: { ...base.policy, ...chosen, model },
    });
  });
