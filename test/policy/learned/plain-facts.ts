import { dayMs } from '../../../src/domain/clock.ts';
import type { RetryFacts } from '../../../src/policy/learned/retry-facts.ts';

/** A debit card's charge that lacked funds at a time, with four tries in 28 days before it. */
export function plainFacts(failedAtMs: number, change: Partial<RetryFacts> = {}): RetryFacts {
  return {
    paymentId: 'in_1',
    merchantId: 'm_1',
    amountMinor: 1_000,
    currency: 'USD',
    utcOffsetMinutes: 0,
    past: [],
    funding: 'debit',
    nowMs: failedAtMs,
    failedAtMs,
    windowEndsAtMs: failedAtMs + 28 * dayMs,
    firstDecline: { category: 'later', code: '51' },
    tries: [],
    triesLeft: 4,
    ...change,
  };
}
