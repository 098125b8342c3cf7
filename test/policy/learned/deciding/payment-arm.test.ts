import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideLearned } from '../../../../src/policy/learned/decide-learned.ts';
import { keepingArm, paymentArmOf } from '../../../../src/policy/learned/deciding/payment-arm.ts';
import { unitOf } from '../../../../src/policy/learned/hash.ts';
import type { DecisionRecord } from '../../../../src/policy/plan.ts';
import { fixedPolicy } from '../../../kits/fixed-policy.ts';
import { day, declinedTry, planInput } from '../../plan-input.ts';
import { learnedInput, payment } from '../learned-inputs.ts';

type Shares = Partial<ReturnType<typeof learnedInput>['policy']>;

const settings = { ...fixedPolicy, maxAttempts: 4 };

/** The decision after so many declined tries, with the arm of those before it. */
function decided(
  paymentId: string,
  tries: number,
  shares: Shares,
  before?: DecisionRecord,
): DecisionRecord {
  const base = learnedInput();
  const plan = planInput({
    settings,
    now: day(tries),
    tries: Array.from({ length: tries }, (_, at) => declinedTry(day(at + 0.5))),
  });
  const policy = { ...base.policy, ...shares };
  const { decision } = decideLearned({ ...base, plan, policy, payment: { ...payment, paymentId } });
  return keepingArm(decision, before);
}

describe('the arm of a payment', () => {
  it.each([
    ['learned', 'learned'],
    ['explore', 'learned'],
    ['holdout', 'holdout'],
    ['fallback', undefined],
    [undefined, undefined],
  ] as const)('is by a record of before, whose try is of %s, %s', (arm, expected) => {
    const { payment_arm: _, arm: __, ...record } = decided('in_1', 0, {});
    expect(paymentArmOf(arm === undefined ? record : { ...record, arm })).toBe(expected);
  });

  it('is that of its first decision, however the share moves and its tries go', () => {
    const step = fc.record({
      learnedShare: fc.constantFrom(0, 0.1, 0.5, 0.9),
      exploreShare: fc.constantFrom(0, 0.2),
      holdoutShare: fc.constantFrom(0, 0.1, 0.5),
    });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.array(step, { minLength: 2, maxLength: 5 }),
        (paymentId, steps) => {
          let last: DecisionRecord | undefined;
          const arms = steps.map((shares, tries) => {
            last = decided(paymentId, tries, shares, last);
            return last.payment_arm;
          });
          expect(arms[0]).toBeDefined();
          expect(new Set(arms).size).toBe(1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is none while the model was never trusted, and the first that comes after', () => {
    const distrusted = decided('in_1', 0, { distrust: 'it drifted' });
    expect(distrusted).toMatchObject({ arm: 'fallback' });
    expect(distrusted).not.toHaveProperty('payment_arm');
    const trusted = decided('in_1', 1, {}, distrusted);
    expect(trusted).toMatchObject({ arm: 'learned', payment_arm: 'learned' });
    expect(decided('in_1', 2, { distrust: 'it drifted' }, trusted)).toMatchObject({
      arm: 'fallback',
      payment_arm: 'learned',
    });
  });

  it('is the holdout where the model plans nothing, also of a time by chance', () => {
    const taken = Array.from({ length: 60 }, (_, at) =>
      decided(`in_${at}`, 0, { learnedShare: 0, exploreShare: 0.2 }),
    );
    expect(new Set(taken.map(({ arm }) => arm))).toEqual(new Set(['holdout', 'explore']));
    expect(new Set(taken.map(({ payment_arm }) => payment_arm))).toEqual(new Set(['holdout']));
    expect(decided('in_1', 0, { exploreShare: 1 })).toMatchObject({
      arm: 'explore',
      payment_arm: 'learned',
    });
  });

  it('shows no difference where there is none, while the share of the model grows', () => {
    // Whoever plans it, each try recovers a payment with the same chance.
    const chance = 0.2;
    const counts = { learned: { payments: 0, won: 0 }, holdout: { payments: 0, won: 0 } };
    for (let at = 0; at < 1_500; at += 1) {
      const paymentId = `in_${at}`;
      let last: DecisionRecord | undefined;
      let won = 0;
      for (let tries = 0; tries <= settings.maxAttempts && won === 0; tries += 1) {
        // Halfway through their windows the model earns nine tenths of the payments.
        last = decided(paymentId, tries, { learnedShare: tries < 2 ? 0.5 : 0.9 }, last);
        if (tries === settings.maxAttempts) break;
        won = unitOf(`${paymentId}/${tries}`, 'outcome') < chance ? 1 : 0;
      }
      const arm = paymentArmOf(last) ?? 'holdout';
      counts[arm].payments += 1;
      counts[arm].won += won;
    }
    const { learned, holdout } = counts;
    const difference = learned.won / learned.payments - holdout.won / holdout.payments;
    const deviation = Math.sqrt(
      (0.25 / learned.payments) * (1 + learned.payments / holdout.payments),
    );
    expect(Math.abs(difference)).toBeLessThan(3 * deviation);
  });
});
