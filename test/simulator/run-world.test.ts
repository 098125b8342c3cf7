import { describe, expect, it } from 'vitest';
import { charge } from '../../src/simulator/charge.ts';
import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { parameters } from '../../src/simulator/parameters.ts';
import { drawPayer } from '../../src/simulator/payer.ts';
import { playPayment } from '../../src/simulator/play-payment.ts';
import { fixedFamily } from '../../src/simulator/policies/fixed-family.ts';
import { noRetries, randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { type RunInput, runWorld } from '../../src/simulator/run-world.ts';
import { summarise } from '../../src/simulator/summarise.ts';
import { buildWorld } from '../../src/simulator/world.ts';

const days = 28;
const policies = [noRetries, ...fixedFamily(days), randomPolicy(1, 8)];

function run(policy: SimulatedPolicy, change: Partial<RunInput> = {}) {
  return runWorld({ seed: 1, failures: 400, days, policy, ...change });
}

describe('a seed', () => {
  it.each(policies)('gives the same run twice under $name', (policy) => {
    expect(run(policy)).toEqual(run(policy));
  });

  it('gives another run than another seed', () => {
    const [policy] = fixedFamily(days);
    expect(run(policy ?? noRetries)).not.toEqual(run(policy ?? noRetries, { seed: 2 }));
  });

  it('gives the same failures to every policy, and more of them to a larger run', () => {
    const { amountsMinor, firstCodes } = run(noRetries);
    for (const policy of policies) {
      const more = run(policy, { failures: 500 });
      expect(more.amountsMinor.slice(0, 400)).toEqual(amountsMinor);
      expect(more.firstCodes.slice(0, 400)).toEqual(firstCodes);
    }
  });
});

describe('common random numbers', () => {
  it('give a payer the same answer at an hour, whatever was tried before', () => {
    const velocity = { ...parameters.velocity, within24HoursShare: 0, perFurtherTryShare: 0 };
    const world = buildWorld({ seed: 3, days, parameters: { ...parameters, velocity } });
    for (let index = 0; index < 300; index += 1) {
      const payer = drawPayer(world, index);
      const hour = payer.failedHour + 30 + index;
      const before = [payer.failedHour + 1, hour - 2, hour - 1];
      expect(charge(world, payer, hour, before)).toEqual(charge(world, payer, hour, []));
    }
  });

  it('let earlier tries turn an approval into a decline, never the other way', () => {
    const world = buildWorld({ seed: 3, days });
    const turned = { toDecline: 0, toApproval: 0 };
    for (let index = 0; index < 2_000; index += 1) {
      const payer = drawPayer(world, index);
      const hour = payer.failedHour + 200;
      const alone = charge(world, payer, hour, []).kind;
      const hasty = charge(world, payer, hour, [hour - 3, hour - 2, hour - 1]).kind;
      if (alone === 'approved' && hasty === 'declined') turned.toDecline += 1;
      if (alone === 'declined' && hasty === 'approved') turned.toApproval += 1;
    }
    expect(turned.toDecline).toBeGreaterThan(10);
    expect(turned.toApproval).toBe(0);
  });

  it('let payers pay and cancel unasked at the same hours under every policy', () => {
    const quiet = { ...parameters.cancel, perFailedTryShare: 0 };
    const world = buildWorld({ seed: 4, days, parameters: { ...parameters, cancel: quiet } });
    const [daily] = fixedFamily(days);
    const kept = { own: 0, retried: 0 };
    for (let index = 0; index < 500; index += 1) {
      const payer = drawPayer(world, index);
      const alone = playPayment(world, payer, noRetries);
      const tried = playPayment(world, payer, daily ?? noRetries);
      if (tried.end === 'recovered_by_retry') {
        expect(tried.endHour).toBeLessThanOrEqual(alone.endHour);
        kept.retried += 1;
      } else {
        expect([tried.end, tried.endHour]).toEqual([alone.end, alone.endHour]);
        kept.own += 1;
      }
    }
    expect(Math.min(kept.own, kept.retried)).toBeGreaterThan(100);
  });
});

describe('more of what helps recovers no less', () => {
  const recovered = (change: Partial<RunInput>) =>
    policies.map((policy) => summarise(run(policy, change)).recovered);

  it('fewer dead accounts', () => {
    const dead = (deadShare: number) =>
      recovered({ parameters: { ...parameters, deadAccounts: { deadShare } }, failures: 300 });
    const [all, half, none] = [dead(1), dead(0.5), dead(0)];
    policies.forEach((policy, at) => {
      expect(half[at], policy.name).toBeGreaterThanOrEqual(all[at] ?? 0);
      expect(none[at], policy.name).toBeGreaterThanOrEqual(half[at] ?? 0);
    });
    expect(none[1]).toBeGreaterThan(all[1] ?? 0);
  });

  it('a card that the updater replaces', () => {
    const cured = (curedShare: number) =>
      recovered({
        parameters: { ...parameters, updater: { curedShare, meanDays: 3 } },
        failures: 300,
      });
    const [never, always] = [cured(0), cured(1)];
    policies.forEach((policy, at) => {
      expect(always[at], policy.name).toBeGreaterThanOrEqual(never[at] ?? 0);
    });
    expect(always[1]).toBeGreaterThan(never[1] ?? 0);
  });
});
