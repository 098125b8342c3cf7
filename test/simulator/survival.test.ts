import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../src/domain/clock.ts';
import { normaliseDecline } from '../../src/domain/declines/normalise-decline.ts';
import { dayOfMonth } from '../../src/policy/learned/local-time.ts';
import type { TrainingRow } from '../../src/policy/learned/retry-facts.ts';
import { hourOf, instantOf } from '../../src/simulator/calendar.ts';
import type { Observed } from '../../src/simulator/observed.ts';
import { survivalPolicy } from '../../src/simulator/policies/survival.ts';
import { plainFacts } from '../policy/learned/plain-facts.ts';

const begin = Date.UTC(2026, 0, 1);
const lacksFunds = normaliseDecline({ psp: 'sandbox', network: 'visa', networkCode: '51' });

/** A try on every day of a month after its failure on the 15th: those of the 3rd pass, and some of others. */
const rows: readonly TrainingRow[] = Array.from({ length: 2_000 }, (_, index) => {
  const failedAtMs = Date.UTC(2026, index % 12, 15, 10);
  const atMs = failedAtMs + (1 + (index % 28)) * dayMs;
  return {
    facts: plainFacts(failedAtMs, { paymentId: `in_${index}` }),
    atMs,
    succeeded: dayOfMonth(Math.floor(atMs / dayMs)) === 3 || index % 10 === 0,
    propensity: 1 / 28,
  };
});

function observed(tries: Observed['tries']): Observed {
  const failedHour = hourOf(new Date(begin + 19 * dayMs + 10 * hourMs));
  return {
    payment: 1,
    nowHour: tries.at(-1)?.hour ?? failedHour,
    failedHour,
    windowEndHour: failedHour + 28 * 24,
    amountMinor: 1_000,
    network: 'visa',
    cardFunding: 'debit',
    bin: '400000',
    past: [],
    firstDecline: lacksFunds,
    tries,
  };
}

/** The days of the month of a payment's tries, each declined. */
function triedOn(maxAttempts: number): readonly number[] {
  const policy = survivalPolicy(rows, { windowDays: 28, maxAttempts });
  const tries: Observed['tries'][number][] = [];
  for (;;) {
    const next = policy.next(observed(tries));
    if (next.kind !== 'try') break;
    tries.push({ hour: next.hour, decline: lacksFunds });
  }
  return tries.map(({ hour }) => dayOfMonth(Math.floor(instantOf(hour).getTime() / dayMs)));
}

describe('the survival model', () => {
  it('tries on the day of the month that passes, where it has one try', () => {
    expect(triedOn(1)).toEqual([3]);
  });

  it('keeps that day among more tries, each on a later day', () => {
    const days = triedOn(4);
    expect(days).toHaveLength(4);
    expect(days).toContain(3);
    expect(new Set(days).size).toBe(4);
  });
});
