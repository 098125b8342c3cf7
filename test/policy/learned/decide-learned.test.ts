import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import { mayTryAgain } from '../../../src/domain/declines/decline.ts';
import { usableMethods } from '../../../src/policy/gates.ts';
import { decideLearned } from '../../../src/policy/learned/decide-learned.ts';
import type { LearnedInput } from '../../../src/policy/learned/deciding/learned-input.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import { rounded } from '../../../src/policy/learned/rounded.ts';
import type { PlanInput } from '../../../src/policy/plan.ts';
import { fixedPolicy } from '../../kits/fixed-policy.ts';
import { day, declinedTry, failedAt, later, planInput } from '../plan-input.ts';
import { learnedInput, learnedInputs, payment } from './learned-inputs.ts';

describe('any payment', () => {
  it('is tried inside its window and budget, by methods that the gates allow then', () => {
    fc.assert(
      fc.property(learnedInputs, (input) => {
        const plan = decideLearned(input);
        if (plan.kind !== 'attempt') return;
        const { now, windowEndsAt, tries, settings } = input.plan;
        expect(plan.at.getTime()).toBeGreaterThanOrEqual(now.getTime());
        expect(plan.at.getTime()).toBeLessThanOrEqual(windowEndsAt.getTime());
        expect(tries.length).toBeLessThan(settings.maxAttempts);
        const allowed = new Map(
          usableMethods(input.plan).map((item) => [item.paymentMethodId, item.allowedAt.getTime()]),
        );
        expect(plan.methods.length).toBeGreaterThan(0);
        for (const name of plan.methods) {
          expect(allowed.get(name)).toBeLessThanOrEqual(plan.at.getTime());
        }
        expect(plan.decision.propensity).toBeGreaterThan(0);
        expect(plan.decision.propensity).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it('gets the same plan from the same input', () => {
    fc.assert(
      fc.property(learnedInputs, (input) => {
        expect(decideLearned(structuredClone(input))).toEqual(decideLearned(input));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a plan by the model', () => {
  it('says with what chance, of which slots, and why', () => {
    const { decision } = decideLearned(learnedInput());
    expect(decision).toMatchObject({ policy: 'learned', arm: 'learned', propensity: 1 });
    expect(decision.policy_version).toBe(priorModel.version);
    expect(decision.chance).toBeGreaterThan(0);
    expect(decision.candidates?.length).toBe(5);
    expect(decision.leading?.[0]?.words).toMatch(/\w/);
  });

  it('holds back until the issuer that is down may be up again', () => {
    const lastAtMs = failedAt.getTime();
    const down = { charges: 20, technical: 19, lastAtMs };
    const technical = { category: 'technical', code: '91' } as const;
    const plan = planInput({ firstDecline: technical });
    const at = (cards: LearnedInput['cards']) => {
      const made = decideLearned(learnedInput({ plan, cards }));
      return made.kind === 'attempt' ? made.at.getTime() : 0;
    };
    expect(at({ pm_1: { issuerHealth: down } })).toBeGreaterThanOrEqual(lastAtMs + 2 * hourMs);
    expect(at({ pm_1: {} })).toBeGreaterThan(0);
  });

  it('stops when the next try is not worth its costs', () => {
    const base = learnedInput();
    const policy = { ...base.policy, costs: { ...base.policy.costs, feeCents: 1_900 } };
    expect(decideLearned({ ...base, policy }).kind).toBe('wait_for_update');
    expect(decideLearned(base).kind).toBe('attempt');
  });

  it('waits where the decline forbids a retry', () => {
    const plan = planInput({ firstDecline: { category: 'never', code: '41' } });
    expect(mayTryAgain('never')).toBe(false);
    expect(decideLearned(learnedInput({ plan })).kind).toBe('wait_for_update');
  });
});

describe('a time by chance', () => {
  // One try is left and ten hours of the window: from 12:00 to 22:30, on the payer's clock too.
  const windowEndsAt = new Date(failedAt.getTime() + 10.5 * hourMs);
  const hours = 11;
  const settings = { ...fixedPolicy, maxAttempts: 1 };
  const all = (change: Partial<LearnedInput['policy']>, plan: Partial<PlanInput> = {}) => {
    const base = learnedInput();
    const policy = { ...base.policy, ...change };
    return Array.from({ length: 600 }, (_, at) => {
      const made = decideLearned({
        ...base,
        plan: planInput({ settings, windowEndsAt, ...plan }),
        policy,
        payment: { ...payment, paymentId: `in_${at}` },
      });
      if (made.kind !== 'attempt') throw new Error(`in_${at}: ${made.kind}`);
      return made;
    });
  };
  const hourOf = (at: Date) => Math.floor((at.getTime() - failedAt.getTime()) / hourMs);

  it('is any hour of those that are left, each as likely, and never behind the window', () => {
    const plans = all({ exploreShare: 1 });
    const counts = new Map<number, number>();
    for (const { at, decision } of plans) {
      expect(at.getTime()).toBeLessThanOrEqual(windowEndsAt.getTime());
      expect(decision).toMatchObject({ arm: 'explore', propensity: rounded(1 / hours) });
      counts.set(hourOf(at), (counts.get(hourOf(at)) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([...Array(hours).keys()]);
    expect(Math.min(...counts.values())).toBeGreaterThan(plans.length / hours / 2);
  });

  it('has the chance with which its hour is taken at all: over all hours they make one', () => {
    const share = 0.5;
    const chances = new Map<number, number>();
    for (const { at, decision } of all({ exploreShare: share })) {
      const known = chances.get(hourOf(at)) ?? decision.propensity;
      expect(decision.propensity).toBe(known);
      chances.set(hourOf(at), known);
    }
    expect(chances.size).toBe(hours);
    expect([...chances.values()].reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 4);
    expect(Math.max(...chances.values())).toBeCloseTo(share + share / hours, 5);
  });

  it('goes a part of the window ahead, for tries to be left over for the rest', () => {
    const plan = { settings: { ...settings, maxAttempts: 4 }, windowEndsAt: day(10) };
    const plans = all({ exploreShare: 1 }, plan);
    // 240 hours and 1.6 of the four parts of them: 96 hours from the first one on.
    expect(Math.max(...plans.map(({ at }) => hourOf(at)))).toBe(95);
    expect(plans[0]?.decision.propensity).toBe(rounded(1 / 96));
    // The hour that the model would take is behind them, and is taken only where nothing is drawn.
    const usual = all({ exploreShare: 0.25 }, plan).filter(
      ({ decision }) => decision.arm === 'learned',
    );
    expect(usual.length).toBeGreaterThan(0);
    for (const { at, decision } of usual) {
      const isInReach = hourOf(at) < 96;
      expect(decision.propensity).toBe(rounded(0.75 + (isInReach ? 0.25 / 96 : 0)));
    }
  });

  it('is drawn anew for each try of a payment', () => {
    const drawn = (tries: number) =>
      all(
        { exploreShare: 0.5 },
        {
          settings: { ...settings, maxAttempts: 1 + tries },
          tries: Array.from({ length: tries }, () => declinedTry(addMs(failedAt, -hourMs))),
        },
      ).map(({ at, decision }) => (decision.arm === 'explore' ? hourOf(at) : undefined));
    const [first, second] = [drawn(0), drawn(1)];
    const both = first.flatMap((hour, at) =>
      hour === undefined || second[at] === undefined ? [] : [{ hour, next: second[at] }],
    );
    // A quarter of the payments takes both by chance, and of these one in eleven the same hour.
    expect(Math.abs(both.length - 150)).toBeLessThan(40);
    const same = both.filter(({ hour, next }) => hour === next);
    expect(same.length).toBeLessThan(both.length / 3);
  });

  it('does not come before the issuer that is down may be up, nor before its advice', () => {
    const untilMs = failedAt.getTime() + 2 * hourMs;
    const base = learnedInput();
    const health = { charges: 20, technical: 19, lastAtMs: failedAt.getTime() };
    for (let at = 0; at < 200; at += 1) {
      const made = decideLearned({
        ...base,
        plan: planInput({ settings, windowEndsAt }),
        cards: { pm_1: { ...base.cards.pm_1, issuerHealth: health } },
        policy: { ...base.policy, exploreShare: 1 },
        payment: { ...payment, paymentId: `in_${at}` },
      });
      if (made.kind !== 'attempt') throw new Error(made.kind);
      expect(made.at.getTime()).toBeGreaterThanOrEqual(untilMs);
      expect(made.decision.bounded_by).toEqual([
        'the issuer is down, at least until 2026-03-01T14:00:00.000Z',
      ]);
    }
    const advised = { ...later, waitMs: 3.5 * hourMs };
    for (const { at, decision } of all({ exploreShare: 1 }, { firstDecline: advised })) {
      expect(at.getTime()).toBeGreaterThanOrEqual(failedAt.getTime() + 3.5 * hourMs);
      expect(decision.bounded_by).toEqual([
        'the issuer advised to wait until 2026-03-01T15:30:00.000Z',
      ]);
    }
  });
});

describe('the arms', () => {
  const armOf = (paymentId: string, change: Partial<LearnedInput['policy']>, tries = 0) => {
    const base = learnedInput();
    const plan = planInput({
      now: day(tries),
      tries: Array.from({ length: tries }, (_, at) => declinedTry(day(at + 1), later)),
    });
    const policy = { ...base.policy, ...change };
    return decideLearned({ ...base, plan, policy, payment: { ...payment, paymentId } }).decision
      .arm;
  };
  const share = (change: Partial<LearnedInput['policy']>, arm: string) => {
    const all = Array.from({ length: 600 }, (_, at) => armOf(`in_${at}`, change));
    return all.filter((name) => name === arm).length / all.length;
  };

  it('hold out and explore about the shares that were asked for', () => {
    expect(Math.abs(share({ holdoutShare: 0.1 }, 'holdout') - 0.1)).toBeLessThan(0.04);
    expect(Math.abs(share({ exploreShare: 0.1 }, 'explore') - 0.1)).toBeLessThan(0.04);
  });

  it('plan by the model no more than the share that it has earned', () => {
    expect(Math.abs(share({ learnedShare: 0.5 }, 'holdout') - 0.5)).toBeLessThan(0.06);
    expect(share({ learnedShare: 0 }, 'learned')).toBe(0);
    expect(share({ learnedShare: 0 }, 'holdout')).toBe(1);
  });

  it('take times by chance from the first day on, but never of what is held out for ever', () => {
    const change = { learnedShare: 0, exploreShare: 0.2 };
    expect(Math.abs(share(change, 'explore') - 0.2)).toBeLessThan(0.05);
    expect(share({ ...change, holdoutShare: 1 }, 'explore')).toBe(0);
    expect(share({ ...change, learnedShare: 0.1, holdoutShare: 0.9 }, 'explore')).toBeLessThan(
      0.05,
    );
  });

  it('are ended or hurried by no model that plans nothing yet', () => {
    const base = learnedInput();
    const shares = { learnedShare: 0, exploreShare: 1 };
    const nothingIsWorthIt = {
      ...base.policy,
      ...shares,
      costs: { ...base.policy.costs, feeCents: 1_900 },
    };
    expect(decideLearned({ ...base, policy: nothingIsWorthIt })).toMatchObject({
      kind: 'attempt',
      at: day(5),
      decision: { arm: 'holdout', propensity: 1 },
    });
    const plan = planInput({
      now: day(1),
      methods: [{ paymentMethodId: 'pm_1', failedFirst: true, renewedAt: day(1) }],
    });
    expect(decideLearned({ ...base, plan, policy: { ...base.policy, ...shares } })).toMatchObject({
      at: day(1),
      decision: { arm: 'holdout' },
    });
  });

  it('keep a payment held out through all its tries', () => {
    const change = { holdoutShare: 0.3 };
    for (let at = 0; at < 40; at += 1) {
      const first = armOf(`in_${at}`, change) === 'holdout';
      expect(armOf(`in_${at}`, change, 2) === 'holdout').toBe(first);
    }
  });

  it('fall back to the best fixed schedule where the model is distrusted, and say so', () => {
    const base = learnedInput();
    const plan = decideLearned({ ...base, policy: { ...base.policy, distrust: 'it drifted' } });
    expect(plan).toMatchObject({ kind: 'attempt', at: day(5) });
    expect(plan.decision).toMatchObject({ arm: 'fallback', policy: 'fixed' });
    expect(plan.decision.because).toContain('it drifted');
  });
});
