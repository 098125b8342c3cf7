import { describe, expect, it } from 'vitest';
import {
  evaluateOffPolicy,
  type LoggedDecisions,
} from '../../../src/policy/evaluation/off-policy.ts';
import { seededUnit } from '../../../src/policy/evaluation/seeded-unit.ts';

/** The chance of a reward of each of four actions, for two kinds of payers. */
const rewardChances = [
  [0.1, 0.2, 0.3, 0.4],
  [0.4, 0.1, 0.2, 0.3],
] as const;

interface Bandit {
  readonly decisions: number;
  readonly payers: number;
  readonly seed: number;
  readonly propensities: readonly number[];
  /** What the model adds to the truth: 0 for a perfect one. */
  readonly modelError?: number;
}

/** A log of payers who share their luck: half of their rewards are of the payer, not of the try. */
function logged(bandit: Bandit, target: (kind: number) => number): LoggedDecisions {
  const { decisions, payers, seed, propensities, modelError = 0 } = bandit;
  const unit = seededUnit(seed);
  const luck = Array.from({ length: payers }, () => unit());
  const kinds = Array.from({ length: payers }, () => (unit() < 0.5 ? 0 : 1));
  const rows = Array.from({ length: decisions }, (_, at) => {
    const payer = at % payers;
    const kind = kinds[payer] ?? 0;
    const action = picked(propensities, unit());
    const chance = (of: number) => rewardChances[kind === 0 ? 0 : 1][of] ?? 0;
    const own = unit() < 0.5 ? (luck[payer] ?? 0) : unit();
    return {
      payer,
      propensity: propensities[action] ?? 0,
      target: target(kind) === action ? 1 : 0,
      reward: own < chance(action) ? 1 : 0,
      logged: chance(action) + modelError,
      ahead: chance(target(kind)) + modelError,
    };
  });
  return {
    clusters: Int32Array.from(rows, ({ payer }) => payer),
    propensities: Float64Array.from(rows, ({ propensity }) => propensity),
    targets: Float64Array.from(rows, (row) => row.target),
    rewards: Float64Array.from(rows, ({ reward }) => reward),
    predicted: {
      logged: Float64Array.from(rows, (row) => row.logged),
      target: Float64Array.from(rows, ({ ahead }) => ahead),
    },
  };
}

function picked(chances: readonly number[], unit: number): number {
  let left = unit;
  for (const [at, chance] of chances.entries()) {
    left -= chance;
    if (left < 0) return at;
  }
  return chances.length - 1;
}

function estimated(decisions: LoggedDecisions, seed = 1) {
  const result = evaluateOffPolicy(decisions, seededUnit(seed));
  if (result.kind === 'refused') throw new Error(result.message);
  return result;
}

const constant = [0.064, 0.164, 0.247, 0.525];
const best = (kind: number) => (kind === 0 ? 3 : 0);

describe('off-policy estimates of a log with known chances', () => {
  it('cover the truth at the nominal rate, and are sharper with a good model', () => {
    const worlds = 100;
    const propensities = [0.25, 0.25, 0.25, 0.25];
    const held = { ips: 0, snips: 0, doublyRobust: 0, logged: 0 };
    const width = { ips: 0, snips: 0, doublyRobust: 0, logged: 0 };
    for (let seed = 1; seed <= worlds; seed += 1) {
      const bandit = { decisions: 900, payers: 300, seed, propensities };
      const result = estimated(logged(bandit, best), seed);
      for (const name of ['ips', 'snips', 'doublyRobust', 'logged'] as const) {
        const interval = result[name];
        const truth = name === 'logged' ? 0.25 : 0.4;
        if (interval === undefined) throw new Error(name);
        if (interval.low <= truth && truth <= interval.high) held[name] += 1;
        width[name] += interval.high - interval.low;
      }
    }
    // Of 100 intervals at 95 %, fewer than 88 would come about once in a thousand runs.
    for (const [name, count] of Object.entries(held)) {
      expect(count / worlds, name).toBeGreaterThanOrEqual(0.88);
    }
    expect(width.doublyRobust).toBeLessThan(width.ips);
    expect(width.snips).toBeLessThan(width.ips);
  });

  it('find an action that was taken with a constant chance, however rarely', () => {
    const bandit = { decisions: 30_000, payers: 10_000, seed: 7, propensities: constant };
    for (const action of [0, 1, 2, 3]) {
      const truth = ((rewardChances[0][action] ?? 0) + (rewardChances[1][action] ?? 0)) / 2;
      const { ips, snips, doublyRobust, support, clippedShare } = estimated(
        logged(bandit, () => action),
      );
      for (const { value, low, high } of [ips, snips, doublyRobust ?? ips]) {
        expect(Math.abs(value - truth)).toBeLessThan(0.02);
        expect(low).toBeLessThan(value);
        expect(high).toBeGreaterThan(value);
      }
      expect(support).toBeCloseTo(1, 1);
      expect(clippedShare).toBe(0);
    }
  });

  it('are right where the model of rewards is wrong', () => {
    const bandit = { decisions: 30_000, payers: 10_000, seed: 9, propensities: constant };
    const { doublyRobust } = estimated(logged({ ...bandit, modelError: 0.3 }, best));
    expect(Math.abs((doublyRobust?.value ?? 0) - 0.4)).toBeLessThan(0.02);
  });

  it("give the log's own mean, and nothing gained, for the policy that logged", () => {
    const bandit = { decisions: 3_000, payers: 1_000, seed: 3, propensities: constant };
    const log = logged(bandit, best);
    const {
      snips,
      logged: own,
      gain,
      effectiveSample,
    } = estimated({
      ...log,
      targets: log.propensities,
    });
    expect(snips.value).toBeCloseTo(own.value, 12);
    expect(gain.value).toBeCloseTo(0, 12);
    expect(effectiveSample).toBeCloseTo(3_000, 6);
  });

  it('are the same for the same seed', () => {
    const log = logged({ decisions: 500, payers: 200, seed: 5, propensities: constant }, () => 3);
    expect(estimated(log, 4)).toEqual(estimated(log, 4));
  });
});

describe('estimates of a small log', () => {
  // Of 400 tries the policy would take each other one; each fourth had a reward. Two had a small
  // chance: their weight of 100 is cut to the root of 400.
  const size = 400;
  const fill = (value: (at: number) => number) =>
    Float64Array.from({ length: size }, (_, at) => value(at));
  const log: LoggedDecisions = {
    clusters: Int32Array.from({ length: size }, (_, at) => at % 100),
    propensities: fill((at) => (at === 0 || at === 2 ? 0.01 : 0.5)),
    targets: fill((at) => (at % 2 === 0 ? 1 : 0)),
    rewards: fill((at) => (at % 4 === 0 ? 1 : 0)),
    predicted: { logged: fill(() => 0.25), target: fill(() => 0.4) },
  };
  const weights = 198 * 2 + 2 * 20;
  const rewarded = 99 * 2 + 20;

  it('are what they are by hand, the gain that of the self-normalised one over the log', () => {
    const result = estimated(log);
    expect(result.logged.value).toBeCloseTo(0.25, 12);
    expect(result.ips.value).toBeCloseTo(rewarded / size, 12);
    expect(result.snips.value).toBeCloseTo(rewarded / weights, 12);
    expect(result.doublyRobust?.value).toBeCloseTo(0.4 + (rewarded - 0.25 * weights) / weights, 12);
    expect(result.gain.value).toBeCloseTo(rewarded / weights - 0.25, 12);
    expect(result.support).toBeCloseTo(weights / size, 12);
    expect(result.effectiveSample).toBeCloseTo(weights ** 2 / (198 * 4 + 2 * 400), 9);
    expect(result.clippedShare).toBeCloseTo(2 / size, 12);
    expect([result.decisions, result.clusters]).toEqual([size, 100]);
  });

  it('have no doubly robust one without a model of rewards', () => {
    const { predicted: _, ...bare } = log;
    expect(estimated(bare)).not.toHaveProperty('doublyRobust');
  });
});

describe('decisions of several kinds', () => {
  /** The log tried all of what the policy would do at the first kind, and `share` of it at the second. */
  const kinds = (share: number, secondOf = 2): LoggedDecisions => {
    const rows = Array.from({ length: 1_000 }, (_, at) => {
      const isSecond = at % secondOf === 1;
      const isTaken = Math.floor(at / secondOf) % 10 < (isSecond ? 5 * share : 5);
      return { at, isSecond, isTaken, reward: isSecond ? 0.1 : 0.5 };
    });
    return {
      clusters: Int32Array.from(rows, ({ at }) => at % 100),
      strata: Int32Array.from(rows, ({ isSecond }) => (isSecond ? 1 : 0)),
      propensities: new Float64Array(1_000).fill(0.5),
      targets: Float64Array.from(rows, ({ isTaken }) => (isTaken ? 1 : 0)),
      rewards: Float64Array.from(rows, ({ reward }) => reward),
      predicted: {
        logged: new Float64Array(1_000).fill(0.2),
        target: Float64Array.from(rows, ({ isSecond }) => (isSecond ? 0.3 : 0.2)),
      },
    };
  };

  it('count as often as they come, however much of each the log tried', () => {
    const { snips, doublyRobust, decisions } = estimated(kinds(0.6));
    expect(decisions).toBe(1_000);
    expect(snips.value).toBeCloseTo(0.3, 12);
    expect(doublyRobust?.value).toBeCloseTo((0.2 + 0.3 + 0.3 - 0.1) / 2, 12);
    const { strata: _, ...together } = kinds(0.6);
    expect(estimated(together).snips.value).toBeCloseTo((0.5 + 0.6 * 0.1) / 1.6, 12);
  });

  it('are left out where the log tried hardly any, if those are few', () => {
    const { snips, decisions, support } = estimated(kinds(0.2, 20));
    expect([decisions, support]).toEqual([950, 1]);
    expect(snips.value).toBeCloseTo(0.5, 12);
    const many = evaluateOffPolicy(kinds(0.2), seededUnit(1));
    expect(many).toMatchObject({ kind: 'refused', reason: 'no_support' });
    expect('message' in many && many.message).toContain('50 % of the decisions are of kinds');
  });
});

describe('what the data cannot carry is refused', () => {
  const log = logged({ decisions: 1_000, payers: 400, seed: 2, propensities: constant }, best);
  const reasonOf = (change: Partial<LoggedDecisions>) => {
    const result = evaluateOffPolicy({ ...log, ...change }, seededUnit(1));
    return result.kind === 'refused' ? result.reason : result.kind;
  };
  const filled = (value: number) => new Float64Array(1_000).fill(value);

  it('is not this log', () => expect(reasonOf({})).toBe('estimate'));

  it('a schedule without randomness', () => {
    expect(reasonOf({ propensities: filled(1) })).toBe('no_randomness');
  });

  it.each([0, -0.1, 1.1, Number.NaN])('a propensity of %d', (value) => {
    expect(reasonOf({ propensities: log.propensities.with(17, value) })).toBe('no_propensities');
  });

  it('a policy that does what the log never did', () => {
    expect(reasonOf({ targets: filled(0) })).toBe('no_support');
  });

  it('a few decisions that stand for all', () => {
    const targets = filled(0);
    const propensities = filled(0.5);
    for (let at = 0; at < 30; at += 1) {
      targets[at] = 1;
      propensities[at] = 0.03;
    }
    const result = evaluateOffPolicy({ ...log, targets, propensities }, seededUnit(1));
    expect(result).toMatchObject({ kind: 'refused', reason: 'small_effective_sample' });
    expect('effectiveSample' in result && result.effectiveSample).toBeCloseTo(30, 6);
  });

  it('a handful of decisions, or of payers', () => {
    const few = logged({ decisions: 99, payers: 99, seed: 2, propensities: constant }, () => 3);
    expect(evaluateOffPolicy(few, seededUnit(1))).toMatchObject({ reason: 'too_few_decisions' });
    const one = logged({ decisions: 1, payers: 1, seed: 2, propensities: constant }, () => 3);
    expect(evaluateOffPolicy(one, seededUnit(1))).toMatchObject({
      message: 'There is 1 decision; at least 100 are asked for.',
    });
    expect(evaluateOffPolicy({ ...few, called: 'payments' }, seededUnit(1))).toMatchObject({
      message: 'There are 99 payments whose window has ended; at least 100 are asked for.',
    });
    const crowd = logged({ decisions: 999, payers: 19, seed: 2, propensities: constant }, () => 3);
    expect(evaluateOffPolicy(crowd, seededUnit(1))).toMatchObject({ reason: 'too_few_decisions' });
  });
});

it('refuses what too few payers are left of, whatever their numbers', () => {
  // Ten payers made the decisions of a kind that the policy would never have made so; fifteen made the others.
  const rows = Array.from({ length: 2_000 }, (_, at) => {
    const isOther = at % 20 === 0;
    return { payer: isOther ? (at / 20) % 10 : 10 + (at % 15), isOther };
  });
  const verdict = evaluateOffPolicy(
    {
      clusters: Int32Array.from(rows, ({ payer }) => payer),
      strata: Int32Array.from(rows, ({ isOther }) => (isOther ? 1 : 0)),
      propensities: Float64Array.from(rows, () => 0.5),
      targets: Float64Array.from(rows, ({ isOther }, at) => (isOther ? 0 : at % 2)),
      rewards: Float64Array.from(rows, (_, at) => (at % 3 === 0 ? 1 : 0)),
    },
    seededUnit(1),
  );
  expect(verdict).toMatchObject({
    kind: 'refused',
    reason: 'too_few_decisions',
    message: 'There are 15 payers; at least 20 are asked for.',
  });
});
