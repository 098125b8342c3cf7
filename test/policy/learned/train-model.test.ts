import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../src/domain/clock.ts';
import { unitOf } from '../../../src/policy/learned/hash.ts';
import { weekdayOf, weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { metricsInUse, openScorer } from '../../../src/policy/learned/policy-model.ts';
import type { RetryFacts, TrainingRow } from '../../../src/policy/learned/retry-facts.ts';
import { boostedMargin } from '../../../src/policy/learned/scoring/boosted-trees.ts';
import { boost, defaultBoosting } from '../../../src/policy/learned/training/boosting.ts';
import { fitLogistic, solveSymmetric } from '../../../src/policy/learned/training/logistic.ts';
import { decisionValue, measure } from '../../../src/policy/learned/training/metrics.ts';
import { isHeldOut } from '../../../src/policy/learned/training/split-rows.ts';
import { judgeModel, trainModel } from '../../../src/policy/learned/training/train-model.ts';
import { plainFacts } from './plain-facts.ts';

const begin = Date.UTC(2026, 0, 5);

function factsOf(index: number, change: Partial<RetryFacts> = {}): RetryFacts {
  const failedAtMs = begin + Math.floor(unitOf(`${index}`, 'failed') * 200) * dayMs + 12 * hourMs;
  return plainFacts(failedAtMs, {
    paymentId: `in_${index}`,
    brand: 'visa',
    bin: index % 2 === 0 ? '411111' : '422222',
    ...change,
  });
}

/** Payers who are paid on Wednesdays and have money for two days; one issuer declines half of all. */
function wednesdayRow(index: number): TrainingRow {
  const facts = factsOf(index);
  const atMs = facts.nowMs + Math.ceil(unitOf(`${index}`, 'slot') * 20 * 24) * hourMs;
  const name = weekdayOf(Math.floor(atMs / dayMs));
  const hasFunds = name === 3 || name === 4;
  const isRefused = facts.bin === '422222' && unitOf(`${index}`, 'issuer') < 0.5;
  return { facts, atMs, succeeded: hasFunds && !isRefused, propensity: 1 / 480 };
}

const rows = Array.from({ length: 1_600 }, (_, index) => wednesdayRow(index));
const boosting = { trees: 12, depth: 3 };
const options = { version: 'test', calendar: weekendCalendar, boosting, use: 'boosted' as const };
const model = trainModel(rows, options);

describe('a trained model', () => {
  it('is the same for the same rows in another order', () => {
    expect(trainModel([...rows].reverse(), options)).toEqual(model);
  });

  it('survives being kept as JSON', () => {
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });

  it('knows the days on which such payers have money, and the issuer that declines more', () => {
    const facts = factsOf(2, {
      failedAtMs: begin,
      nowMs: begin,
      windowEndsAtMs: begin + 28 * dayMs,
    });
    const good = openScorer(model, weekendCalendar, facts);
    const bad = openScorer(model, weekendCalendar, { ...facts, bin: '422222' });
    const [wednesday, sunday] = [begin / hourMs + 2 * 24 + 10, begin / hourMs + 6 * 24 + 10];
    expect(good.score(wednesday)).toBeGreaterThan(0.6);
    expect(good.score(sunday)).toBeLessThan(0.2);
    expect(bad.score(wednesday)).toBeLessThan(good.score(wednesday) - 0.15);
  });

  it('foretells held-out payments well', () => {
    const { auc, calibrationError } = metricsInUse(model);
    expect(auc).toBeGreaterThan(0.85);
    expect(calibrationError).toBeLessThan(0.08);
  });

  it('is judged on other rows as on its own held-out ones', () => {
    const others = rows.filter(({ facts }) => isHeldOut(facts.paymentId));
    const judged = judgeModel(model, others, weekendCalendar);
    expect(judged.rows).toBe(model.metrics.boosted.rows);
    expect(Math.abs(judged.auc - metricsInUse(model).auc)).toBeLessThan(0.03);
    expect(judged.decisionValue).toBeGreaterThan(judged.successes / judged.rows);
  });

  it('is worth what the half of the tries brings that it likes best, by weight', () => {
    const lists = {
      chances: Float64Array.of(0.1, 0.9, 0.2, 0.8),
      outcomes: Uint8Array.of(1, 1, 1, 0),
      weights: Float32Array.of(1, 3, 1, 1),
    };
    expect(decisionValue(lists)).toBe(0.75);
  });

  it('moves little from its prior for few rows, and more for many', () => {
    const facts = factsOf(2, { bin: '499999' });
    const hours = Array.from({ length: 14 }, (_, at) => facts.nowMs / hourMs + 22 + at * 24);
    const inverse = rows.map((row) => ({ ...row, succeeded: !row.succeeded }));
    const distance = (count: number) => {
      const child = trainModel(inverse.slice(0, count), { ...options, prior: model });
      const [a, b] = [model, child].map((item) => openScorer(item, weekendCalendar, facts));
      return hours.reduce(
        (sum, hour) => sum + Math.abs((a?.score(hour) ?? 0) - (b?.score(hour) ?? 0)),
        0,
      );
    };
    expect(distance(20) * 2).toBeLessThan(distance(1_600));
  });
});

describe('the learners', () => {
  const size = 3_000;
  const values = Float32Array.from({ length: size * 2 }, (_, at) => unitOf(`${at}`, 'x') * 2 - 1);
  const at = (row: number, column: number) => values[row * 2 + column] ?? 0;
  const all = Uint32Array.from({ length: size }, (_, row) => row);
  const matrixOf = (chance: (row: number) => number) => ({
    values: values.slice(),
    columns: 2,
    outcomes: Uint8Array.from(all, (row) => (unitOf(`${row}`, 'y') < chance(row) ? 1 : 0)),
    weights: new Float32Array(size).fill(1),
  });

  it('logistic regression finds the coefficients that made the outcomes', () => {
    const made = (row: number) => 1 / (1 + Math.exp(-(0.5 + 2 * at(row, 0) - at(row, 1))));
    const fitted = fitLogistic(matrixOf(made), all, { penalty: 0.01 });
    const slopes = fitted.coefficients.map(
      (value, column) => value / (fitted.deviations[column] ?? 1),
    );
    expect(slopes[0]).toBeCloseTo(2, 0);
    expect(slopes[1]).toBeCloseTo(-1, 0);
  });

  it('boosted trees find what no line can tell apart', () => {
    const matrix = matrixOf((row) => (at(row, 0) * at(row, 1) > 0 ? 0.9 : 0.1));
    const [learn, judge] = [all.subarray(0, 2_000), all.subarray(2_000)];
    const trees = boost({
      matrix,
      rows: learn,
      tuneRows: judge,
      margins: new Float64Array(size),
      options: { ...defaultBoosting, trees: 30, learningRate: 0.3 },
    });
    const chances = Float64Array.from(
      judge,
      (row) => 1 / (1 + Math.exp(-boostedMargin(trees, values, row * 2))),
    );
    const outcomes = Uint8Array.from(judge, (row) => matrix.outcomes[row] ?? 0);
    expect(measure(chances, outcomes, new Float32Array(judge.length).fill(1)).auc).toBeGreaterThan(
      0.85,
    );
  });

  it('as many trees are kept as predict the tuning rows best', () => {
    const plain = matrixOf((row) => (at(row, 0) > 0.2 ? 0.65 : 0.35));
    const [rows, twins, tuneRows] = [
      all.subarray(0, 400),
      all.subarray(400, 800),
      all.subarray(2_000),
    ];
    plain.values.copyWithin(800, 0, 800);
    plain.outcomes.copyWithin(400, 0, 400);
    const margins = Float64Array.from(all, (row) => 0.4 * at(row, 1)).copyWithin(400, 0, 400);
    const options = { ...defaultBoosting, minLeaf: 2 };
    const grow = (tuned: Uint32Array) =>
      boost({ matrix: plain, rows, tuneRows: tuned, margins, options });
    // What is learned from is predicted better by each.
    const every = grow(twins);
    expect(every).toHaveLength(options.trees);
    const lossOf = (count: number): number => {
      const trees = every.slice(0, count);
      const chances = Float64Array.from(tuneRows, (row) => {
        const sum = boostedMargin(trees, plain.values, row * 2);
        return 1 / (1 + Math.exp(-((margins[row] ?? 0) + sum)));
      });
      const outcomes = Uint8Array.from(tuneRows, (row) => plain.outcomes[row] ?? 0);
      return measure(chances, outcomes, new Float32Array(outcomes.length).fill(1)).logLoss;
    };
    const losses = Array.from({ length: every.length + 1 }, (_, count) => lossOf(count));
    const best = losses.indexOf(Math.min(...losses));
    expect(best).toBeGreaterThan(1);
    expect(best).toBeLessThan(every.length - 1);
    expect(grow(tuneRows)).toEqual(every.slice(0, best));
  });

  it('solves a system exactly', () => {
    const solved = solveSymmetric(Float64Array.from([4, 0, 2, 3]), Float64Array.from([8, 7]), 2);
    expect(solved[0]).toBeCloseTo(1.25);
    expect(solved[1]).toBeCloseTo(1.5);
  });

  it('the area under the curve counts pairs in order, ties by half', () => {
    const weights = new Float32Array(4).fill(1);
    const auc = (chances: number[], outcomes: number[]) =>
      measure(Float64Array.from(chances), Uint8Array.from(outcomes), weights).auc;
    expect(auc([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1])).toBe(1);
    expect(auc([0.1, 0.3, 0.2, 0.4], [0, 0, 1, 1])).toBe(0.75);
    expect(auc([0.2, 0.2, 0.2, 0.2], [0, 1, 0, 1])).toBe(0.5);
  });
});
