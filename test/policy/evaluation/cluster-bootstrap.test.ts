import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from '../../../src/policy/evaluation/cluster-bootstrap.ts';
import { groupClusters } from '../../../src/policy/evaluation/group-clusters.ts';
import { seededUnit } from '../../../src/policy/evaluation/seeded-unit.ts';

const mean = (totals: Float64Array) => (totals[1] ?? 0) / (totals[0] ?? 0);

function intervalOf(sums: readonly Float64Array[]) {
  return clusterBootstrap({ sums, statistics: [mean], unit: seededUnit(1) })[0];
}

describe('clusterBootstrap', () => {
  it('has the width that theory gives for independent payers', () => {
    const count = 1_000;
    const values = Float64Array.from({ length: count }, (_, at) => at % 2);
    const interval = intervalOf([new Float64Array(count).fill(1), values]);
    // Half of them 1: 1.96 standard errors of sqrt(0.25 / 1000) are 0.031.
    expect(interval?.value).toBe(0.5);
    expect(interval?.low).toBeCloseTo(0.469, 2);
    expect(interval?.high).toBeCloseTo(0.531, 2);
  });

  it('is wider where the rows of a payer are copies of each other', () => {
    const unit = seededUnit(5);
    const rows = 2_000;
    const values = Float64Array.from({ length: rows }, (_, at) => Math.floor(at / 10) % 2);
    const ones = new Float64Array(rows).fill(1);
    const alone = Int32Array.from({ length: rows }, (_, at) => at);
    const byTen = alone.map((at) => Math.floor(at / 10));
    const width = (clusters: Int32Array) => {
      const interval = intervalOf(groupClusters(clusters, [ones, values], unit));
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(width(byTen) / width(alone)).toBeGreaterThan(2.5);
    expect(width(byTen) / width(alone)).toBeLessThan(3.9);
  });

  it('gives no bounds for fewer than twenty payers, nor for a figure without a value', () => {
    const ones = (count: number) => new Float64Array(count).fill(1);
    expect(intervalOf([ones(19), ones(19)])).toBeUndefined();
    expect(intervalOf([ones(20), ones(20)])).toEqual({ value: 1, low: 1, high: 1 });
    expect(intervalOf([new Float64Array(20), ones(20)])?.value).toBe(Number.POSITIVE_INFINITY);
    expect(intervalOf([new Float64Array(20), new Float64Array(20)])).toBeUndefined();
  });
});

describe('groupClusters', () => {
  it('keeps the sum of every column, in at most a thousand groups', () => {
    const clusters = Int32Array.from({ length: 9_000 }, (_, at) => at % 3_000);
    const column = Float64Array.from({ length: 9_000 }, (_, at) => at);
    const [sums] = groupClusters(clusters, [column], seededUnit(1));
    expect(sums?.length).toBe(1_000);
    expect(sums?.reduce((sum, value) => sum + value, 0)).toBe((9_000 * 8_999) / 2);
  });
});
