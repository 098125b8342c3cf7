import fc from 'fast-check';
import { dayMs, hourMs } from '../../../src/domain/clock.ts';
import { type Decline, declineCategories } from '../../../src/domain/declines/decline.ts';
import type { RetryFacts } from '../../../src/policy/learned/retry-facts.ts';

const failedAtMs = Date.UTC(2026, 2, 1, 12);

const declines: fc.Arbitrary<Decline> = fc.record(
  {
    category: fc.constantFrom(...declineCategories, 'later', 'later', 'technical'),
    code: fc.constantFrom('51', '05', '91', 'insufficient_funds', 'do_not_honor'),
    waitMs: fc.constantFrom(hourMs, dayMs, 10 * dayMs),
    adviceCode: fc.constantFrom('24', '27', '30', '02', '01'),
  },
  { requiredKeys: ['category', 'code'] },
);

const tries = fc
  .array(fc.record({ hours: fc.integer({ min: 1, max: 120 }), decline: declines }), {
    maxLength: 4,
  })
  .map((list) => {
    let atMs = failedAtMs;
    return list.map(({ hours, decline }) => {
      atMs += hours * hourMs;
      return { atMs, decline };
    });
  });

const past = fc.array(
  fc.record({
    atMs: fc.integer({ min: 1, max: 9_000 }).map((hours) => failedAtMs - hours * hourMs),
    succeeded: fc.boolean(),
    lackedFunds: fc.boolean(),
    amountMinor: fc.integer({ min: 1, max: 100_000 }),
  }),
  { maxLength: 30 },
);

/** Decisions about any payment, the last try just behind them. */
export const retryFacts: fc.Arbitrary<RetryFacts> = fc
  .record(
    {
      tries,
      past,
      firstDecline: declines,
      amountMinor: fc.integer({ min: 1, max: 1_000_000 }),
      utcOffsetMinutes: fc.constantFrom(-480, 0, 330),
      brand: fc.constantFrom('visa', 'mastercard', 'amex'),
      funding: fc.constantFrom('debit', 'credit', 'prepaid'),
      bin: fc.constantFrom('411111', '555555'),
      renewedAtMs: fc.integer({ min: 0, max: 90 }).map((hours) => failedAtMs + hours * hourMs),
    },
    {
      requiredKeys: ['tries', 'past', 'firstDecline', 'amountMinor', 'utcOffsetMinutes'],
    },
  )
  .map((drawn) => ({
    ...drawn,
    paymentId: 'in_1',
    merchantId: 'm_1',
    currency: 'USD',
    failedAtMs,
    nowMs: drawn.tries.at(-1)?.atMs ?? failedAtMs,
    windowEndsAtMs: failedAtMs + 28 * dayMs,
    triesLeft: 4,
  }));
