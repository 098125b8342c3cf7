import { describe, expect, it } from 'vitest';
import type { Decline } from '../../../src/domain/declines/decline.ts';
import { advisedWaits } from '../../../src/policy/learned/advised-waits.ts';
import { believe } from '../../../src/policy/learned/belief/belief.ts';
import { adviceBuckets } from '../../../src/policy/learned/belief/belief-parameters.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import type { RetryFacts } from '../../../src/policy/learned/retry-facts.ts';
import { day, failedAt } from '../plan-input.ts';

const noFunds: Decline = {
  category: 'later',
  code: 'insufficient_funds',
  networkCode: '51',
};
const advised: Decline = { ...noFunds, adviceCode: '28' };

function waitsAfter(...declines: readonly [Decline, ...Decline[]]) {
  const [firstDecline, ...later] = declines;
  const facts: RetryFacts = {
    paymentId: 'in_1',
    merchantId: 'm_1',
    amountMinor: 2_000,
    currency: 'USD',
    utcOffsetMinutes: 0,
    past: [],
    brand: 'mastercard',
    nowMs: day(later.length).getTime(),
    failedAtMs: failedAt.getTime(),
    windowEndsAtMs: day(28).getTime(),
    firstDecline,
    tries: later.map((decline, at) => ({ atMs: day(at + 1).getTime(), decline })),
    triesLeft: 4,
  };
  const belief = believe(priorModel.belief, weekendCalendar, facts);
  const parameters = priorModel.belief;
  const waits = advisedWaits({ parameters, calendar: weekendCalendar, belief, facts });
  return { belief, waits };
}

describe('waits that further declines may advise', () => {
  it('are not expected of a payment whose declines were never advised', () => {
    expect(waitsAfter(noFunds).waits).toBeUndefined();
  });

  it('are over for sure after ten days, and never for sure within an hour', () => {
    const { waits, belief } = waitsAfter(advised);
    expect(waits?.bucketsAt(belief.anchorHour + 24).length).toBe(belief.active.length);
    for (let bucket = 0; bucket < adviceBuckets; bucket += 1) {
      expect(waits?.overAfter(240)[bucket]).toBe(1);
      expect(waits?.overAfter(0)[bucket]).toBeLessThan(0.5);
      expect(waits?.overAfter(0)[bucket]).toBeGreaterThan(0);
    }
  });

  it('are told apart by how far off the funds are in each hypothesis', () => {
    const { waits, belief } = waitsAfter(advised);
    const bucketsIn = (days: number) => [
      ...(waits?.bucketsAt(belief.anchorHour + 24 * days) ?? []),
    ];
    expect(new Set(bucketsIn(1)).size).toBeGreaterThan(3);
    expect(Math.max(...bucketsIn(1))).toBeLessThan(adviceBuckets);
    // Funds that are there, or that never come, stay so; of the others some are nearer a day later.
    const later = bucketsIn(2);
    expect(bucketsIn(1).some((bucket, at) => bucket > (later[at] ?? bucket))).toBe(true);
  });

  it('are likelier the more of the declines were advised', () => {
    const once = waitsAfter(advised, noFunds).waits?.overAfter(24)[3] ?? 0;
    const twice = waitsAfter(advised, advised).waits?.overAfter(24)[3] ?? 0;
    expect(twice).toBeLessThan(once);
  });
});
