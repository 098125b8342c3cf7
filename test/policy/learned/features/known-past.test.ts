import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../../src/domain/clock.ts';
import { withKnownPast } from '../../../../src/policy/learned/features/known-past.ts';
import { plainFacts } from '../plain-facts.ts';

const failedAtMs = Date.UTC(2026, 5, 20, 12);
const charge = (daysBefore: number) => ({
  atMs: failedAtMs - daysBefore * dayMs,
  succeeded: true,
  amountMinor: 1_000,
});
const facts = plainFacts(failedAtMs, { past: [charge(40), charge(10)] });

describe("a payer's past as a model takes it", () => {
  it('is as it was where the model has nothing to say of it', () => {
    expect(withKnownPast(facts, {})).toBe(facts);
  });

  it('is empty for a model that was made without', () => {
    expect(withKnownPast(facts, { ignoresPast: true }).past).toEqual([]);
  });

  it('moves what was before the move of paydays, and only that', () => {
    const paydayMove = { sinceMs: failedAtMs - 20 * dayMs, days: 3 };
    expect(withKnownPast(facts, { paydayMove }).past).toEqual([charge(37), charge(10)]);
  });

  it('stays for decisions from before the move', () => {
    const paydayMove = { sinceMs: facts.nowMs + 1, days: 3 };
    expect(withKnownPast(facts, { paydayMove })).toBe(facts);
  });
});
