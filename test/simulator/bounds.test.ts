import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs } from '../../src/domain/clock.ts';
import { mayTryAgain } from '../../src/domain/declines/decline.ts';
import { firstDecline } from '../../src/simulator/charge.ts';
import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { drawPayer } from '../../src/simulator/payer.ts';
import { playPayment } from '../../src/simulator/play-payment.ts';
import { knownPolicies } from '../../src/simulator/policies/known-policies.ts';
import { hoursPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { runWorld } from '../../src/simulator/run-world.ts';
import { summarise } from '../../src/simulator/summarise.ts';
import { buildWorld } from '../../src/simulator/world.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const windows = fc.integer({ min: 1, max: 60 });

/** Asks for a try every hour, whatever was said. */
const greedy: SimulatedPolicy = {
  name: 'greedy',
  next: ({ nowHour }) => ({ kind: 'try', hour: nowHour }),
};

describe('any world and policy', () => {
  it('tries at rising hours inside the window, and ends inside it', () => {
    fc.assert(
      fc.property(seeds, windows, fc.nat(100), fc.nat(18), (seed, days, index, choice) => {
        const policy = [...knownPolicies(seed, days), greedy][choice] ?? greedy;
        const world = buildWorld({ seed, days });
        const payer = drawPayer(world, index);
        const { triedHours, endHour } = playPayment(world, payer, policy);
        const last = payer.failedHour + days * 24;
        const marks = [payer.failedHour, ...triedHours];
        triedHours.forEach((hour, at) => {
          expect(hour).toBeGreaterThan(marks[at] ?? hour);
        });
        expect(triedHours.at(-1) ?? payer.failedHour).toBeLessThanOrEqual(endHour);
        expect(endHour).toBeLessThanOrEqual(last);
      }),
      { numRuns: 60 },
    );
  });

  it('recovers no more than failed, and pays for every try', () => {
    fc.assert(
      fc.property(seeds, windows, fc.nat(18), (seed, days, choice) => {
        const policy = knownPolicies(seed, days)[choice] ?? greedy;
        const played = runWorld({ seed, failures: 40, days, policy });
        const summary = summarise(played);
        expect(summary.recoveredMinor).toBeLessThanOrEqual(summary.failedMinor);
        expect(summary.byRetryShare).toBeLessThanOrEqual(summary.recoveredShare);
        expect(summary.recoveredShare + summary.cancelledShare).toBeLessThanOrEqual(1);
        expect(summary.feesMicros).toBeGreaterThanOrEqual(summary.tries * 100_000);
        const ofCodes = summary.codes.reduce((sum, { failures }) => sum + failures, 0);
        expect(ofCodes).toBe(40);
        expect(Math.max(...played.tries)).toBeLessThanOrEqual(8);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the networks are obeyed, whatever a policy asks for', () => {
  const world = buildWorld({ seed: 5, days: 28 });
  const payers = Array.from({ length: 150 }, (_, index) => drawPayer(world, index));
  const plays = payers.map((payer) => ({ payer, played: playPayment(world, payer, greedy) }));

  it('no more than 20 tries of a Visa card, 10 in 24 hours of a Mastercard', () => {
    const most = { visa: 0, mastercard: 0 };
    for (const { payer, played } of plays) {
      const hours = [payer.failedHour, ...played.triedHours];
      const inDay = (hour: number) => hours.filter((at) => at <= hour && hour - at < 24).length;
      const count =
        payer.network === 'visa' ? played.triedHours.length : Math.max(...hours.map(inDay));
      most[payer.network] = Math.max(most[payer.network], count);
    }
    expect(most).toEqual({ visa: 20, mastercard: 10 });
  });

  it('a Visa card that was reported lost is tried only once it was replaced', () => {
    let lost = 0;
    for (const { payer, played } of plays) {
      if (payer.network !== 'visa' || payer.cause.kind !== 'lifecycle') continue;
      if (payer.cause.code !== '41') continue;
      lost += 1;
      const { curedHour } = payer.cause;
      expect(played.triedHours.every((hour) => hour >= curedHour)).toBe(true);
      expect(played.refusals).toBeGreaterThan(0);
    }
    expect(lost).toBeGreaterThan(0);
  });

  it('policies behind the gates try no card again before what its decline asks for', () => {
    let held = 0;
    for (const payer of payers) {
      const { category, waitMs = 0 } = firstDecline(world, payer);
      const { cause } = payer;
      const curedHour = cause.kind === 'lifecycle' ? cause.curedHour : Number.POSITIVE_INFINITY;
      const from = mayTryAgain(category) ? payer.failedHour + waitMs / hourMs : curedHour;
      for (const policy of knownPolicies(5, 28)) {
        const [first] = playPayment(world, payer, policy).triedHours;
        if (first !== undefined) expect(first, policy.name).toBeGreaterThanOrEqual(from);
        else held += 1;
      }
    }
    expect(held).toBeGreaterThan(100);
  });

  it('counts what it refused', () => {
    const asked = hoursPolicy('asked', [24, 72]);
    const refused = (policy: SimulatedPolicy) =>
      payers.reduce((sum, payer) => sum + playPayment(world, payer, policy).refusals, 0);
    expect(refused(greedy)).toBeGreaterThan(0);
    expect(refused(asked)).toBe(0);
  });
});
