import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import { fixedCandidates } from '../../src/simulator/policies/fixed-candidates.ts';
import { knownPolicies } from '../../src/simulator/policies/known-policies.ts';
import { clairvoyant, latentOracle } from '../../src/simulator/policies/oracles.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { runWorld } from '../../src/simulator/run-world.ts';
import { summarise } from '../../src/simulator/summarise.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';

const input = { seed: 11, failures: 500, days: 28 };
const oracle = { ...input, maxAttempts: 4 };
const run = (policy: Parameters<typeof runWorld>[0]['policy']) =>
  summarise(runWorld({ ...input, policy }));

describe('bounds of what a policy can do', () => {
  const [best, latent] = [run(clairvoyant(oracle)), run(latentOracle(oracle))];

  it('the clairvoyant recovers most, by one try each', () => {
    expect(best.recovered).toBeGreaterThanOrEqual(latent.recovered);
    expect(best.triesPerRecovery).toBeLessThan(1.02);
    for (const policy of fixedCandidates(28, 4)) {
      expect(run(policy).recovered, policy.name).toBeLessThan(best.recovered);
    }
  });

  it('who knows the cause but not the luck needs a few tries more', () => {
    expect(latent.triesPerRecovery).toBeGreaterThan(1.02);
    expect(latent.triesPerRecovery).toBeLessThan(1.2);
  });

  it('the learned policy lies between the fixed schedules and them, and breaks no rule', () => {
    const learned = knownPolicies(11, 28).find(({ name }) => name === 'learned');
    if (learned === undefined) throw new Error('the learned policy is known');
    const { recovered, refusals, tries } = run(learned);
    const fixed = run(fixedCandidates(28, 8).find(({ name }) => name === 'every_3') ?? learned);
    expect(recovered).toBeGreaterThan(fixed.recovered);
    expect(recovered).toBeLessThan(best.recovered);
    expect(tries).toBeLessThan(fixed.tries);
    expect(refusals).toBe(0);
  });
});

describe('rows to learn from', () => {
  const policy = randomPolicy(1, 4);
  const rows = trainingRows({ ...input, policy });
  const played = run(policy);

  it('are the tries of the run, the last of each recovered payment a success', () => {
    expect(rows.length).toBe(played.tries);
    expect(rows.filter(({ succeeded }) => succeeded).length).toBe(
      Math.round(played.byRetryShare * played.failures),
    );
  });

  it('hold only what lay before the decision', () => {
    for (const { facts, atMs, propensity } of rows) {
      expect(atMs).toBeGreaterThanOrEqual(facts.nowMs);
      expect(facts.nowMs).toBeGreaterThanOrEqual(facts.failedAtMs);
      expect(facts.tries.every((item) => item.atMs <= facts.nowMs)).toBe(true);
      expect(facts.windowEndsAtMs - facts.failedAtMs).toBe(28 * dayMs);
      expect(propensity).toBeGreaterThan(0);
      expect(propensity).toBeLessThanOrEqual(1);
    }
  });
});
