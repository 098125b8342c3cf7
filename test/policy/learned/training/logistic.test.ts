import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logisticMargin } from '../../../../src/policy/learned/scoring/logistic-model.ts';
import { fitLogistic, rescaled } from '../../../../src/policy/learned/training/logistic.ts';

const neverChanged = 1e6;

function matrixOf(rows: readonly (readonly number[])[], outcomes: readonly number[]) {
  return {
    values: Float32Array.from(rows.flat()),
    columns: rows[0]?.length ?? 0,
    outcomes: Uint8Array.from(outcomes),
    weights: new Float32Array(rows.length).fill(1),
  };
}

describe('a model that is scaled as other rows are', () => {
  const numbers = (min: number, max: number) =>
    fc.array(fc.double({ min, max, noNaN: true }), { minLength: 3, maxLength: 3 });

  it('says the same of every row within six deviations', () => {
    fc.assert(
      fc.property(
        fc.record({
          means: numbers(-2, 2),
          deviations: numbers(0.5, 3),
          coefficients: numbers(-2, 2),
          ownMeans: numbers(-1, 1),
          ownDeviations: numbers(0.5, 3),
          row: numbers(-1, 1),
        }),
        ({ means, deviations, coefficients, ownMeans, ownDeviations, row }) => {
          const model = { means, deviations, coefficients, intercept: 0.3 };
          const again = rescaled(model, { means: ownMeans, deviations: ownDeviations });
          const values = Float64Array.from(row);
          expect(logisticMargin(again, values)).toBeCloseTo(logisticMargin(model, values), 9);
        },
      ),
    );
  });

  it('can learn what never changed where it was made, and keeps what does not change here', () => {
    const start = {
      means: [0, 5],
      deviations: [neverChanged, 2],
      coefficients: [0, 0.7],
      intercept: -0.2,
    };
    const rows = Array.from({ length: 400 }, (_, at) => [at % 2, 5]);
    const matrix = matrixOf(
      rows,
      rows.map(([first]) => first ?? 0),
    );
    const places = Uint32Array.from(rows.keys());
    const fitted = fitLogistic(matrix, places, { penalty: 300, start });
    expect(fitted.coefficients[0]).toBeGreaterThan(1);
    expect([fitted.means[1], fitted.deviations[1]]).toEqual([5, 2]);
    expect(fitted.coefficients[1]).toBeCloseTo(0.7, 2);
    const [one, other] = [0, 1].map((at) => logisticMargin(fitted, matrix.values, at * 2));
    expect((other ?? 0) - (one ?? 0)).toBeGreaterThan(2);
  });
});
