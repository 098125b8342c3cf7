import { expect, it } from 'vitest';
import { normaliseDecline } from '../../src/domain/declines/normalise-decline.ts';
import type { Observed } from '../../src/simulator/observed.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';

/** A payment of four tries in 28 days, declined with an advised wait of two days. */
function observed(payment: number): Observed {
  const said = {
    psp: 'sandbox',
    network: 'mastercard',
    networkCode: '51',
    adviceCode: '26',
  } as const;
  return {
    payment,
    nowHour: 1_000,
    failedHour: 1_000,
    windowEndHour: 1_000 + 28 * 24,
    amountMinor: 1_000,
    network: 'mastercard',
    cardFunding: 'debit',
    bin: '500000',
    past: [],
    firstDecline: normaliseDecline(said),
    tries: [],
  };
}

it('logs tries that a gate moved with the chance of all hours that it moved there', () => {
  const policy = randomPolicy(5, 4);
  const hours = (28 * 24) / 4;
  const counts = new Map<number, number>();
  const payments = 20_000;
  for (let payment = 0; payment < payments; payment += 1) {
    const next = policy.next(observed(payment));
    if (next.kind !== 'try') throw new Error('it tries');
    const propensity = policy.propensity(observed(payment));
    expect(propensity).toBeCloseTo(next.hour === 1_048 ? 48 / hours : 1 / hours, 9);
    counts.set(next.hour, (counts.get(next.hour) ?? 0) + 1);
  }
  expect(Math.abs((counts.get(1_048) ?? 0) / payments - 48 / hours)).toBeLessThan(0.015);
});
