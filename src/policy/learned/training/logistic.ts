import { rounded } from '../rounded.ts';
import type { LogisticModel } from '../scoring/logistic-model.ts';

/** Rows of features, one after the other, with outcomes and weights. */
export interface Matrix {
  readonly values: Float32Array;
  readonly columns: number;
  readonly outcomes: Uint8Array;
  readonly weights: Float32Array;
}

export interface LogisticOptions {
  /** The pull of each coefficient to the start's, or to 0. */
  readonly penalty: number;
  /** A model to begin at and to be pulled to; its scaling is kept. */
  readonly start?: LogisticModel;
}

const maxRounds = 12;
const enough = 1e-6;
/** A feature that hardly changed while it was learned from must not carry far when it does. */
const minDeviation = 0.1;

/**
 * Logistic regression with a quadratic penalty, by Newton's steps (iteratively reweighted least
 * squares). Exact: the same rows give the same coefficients. `rows` are the ones to learn from.
 */
export function fitLogistic(
  matrix: Matrix,
  rows: Uint32Array,
  { penalty, start }: LogisticOptions,
): LogisticModel {
  const scale = start ?? measureScale(matrix, rows);
  const size = matrix.columns + 1;
  const centre = Float64Array.from([
    start?.intercept ?? 0,
    ...(start?.coefficients ?? new Array<number>(matrix.columns).fill(0)),
  ]);
  const solution = Float64Array.from(centre);
  for (let round = 0; round < maxRounds; round += 1) {
    const { gradient, hessian } = derivatives(matrix, rows, scale, solution);
    for (let at = 0; at < size; at += 1) {
      // The intercept is free, unless there is one to begin at.
      const pull = at === 0 && start === undefined ? 1e-6 : penalty;
      gradient[at] = (gradient[at] ?? 0) - pull * ((solution[at] ?? 0) - (centre[at] ?? 0));
      hessian[at * size + at] = (hessian[at * size + at] ?? 0) + pull;
    }
    const step = solveSymmetric(hessian, gradient, size);
    let largest = 0;
    for (let at = 0; at < size; at += 1) {
      const move = Math.max(-4, Math.min(4, step[at] ?? 0));
      solution[at] = (solution[at] ?? 0) + move;
      largest = Math.max(largest, Math.abs(move));
    }
    if (largest < enough) break;
  }
  return {
    means: scale.means,
    deviations: scale.deviations,
    intercept: rounded(solution[0] ?? 0),
    coefficients: Array.from(solution.subarray(1), rounded),
  };
}

type Scale = Pick<LogisticModel, 'means' | 'deviations'>;

function measureScale({ values, columns }: Matrix, rows: Uint32Array): Scale {
  const means = new Float64Array(columns);
  const squares = new Float64Array(columns);
  for (const row of rows) {
    for (let at = 0; at < columns; at += 1) {
      const value = values[row * columns + at] ?? 0;
      means[at] = (means[at] ?? 0) + value;
      squares[at] = (squares[at] ?? 0) + value * value;
    }
  }
  const count = Math.max(1, rows.length);
  return {
    means: Array.from(means, (sum) => rounded(sum / count)),
    deviations: Array.from(squares, (sum, at) => {
      const variance = sum / count - ((means[at] ?? 0) / count) ** 2;
      // A feature that never changed has nothing to say, and shall not when it does.
      return variance > 1e-8 ? rounded(Math.max(minDeviation, Math.sqrt(variance))) : 1e6;
    }),
  };
}

function derivatives(
  matrix: Matrix,
  rows: Uint32Array,
  { means, deviations }: Scale,
  solution: Float64Array,
): { readonly gradient: Float64Array; readonly hessian: Float64Array } {
  const { values, columns, outcomes, weights } = matrix;
  const size = columns + 1;
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const x = new Float64Array(size);
  x[0] = 1;
  for (const row of rows) {
    let margin = solution[0] ?? 0;
    for (let at = 0; at < columns; at += 1) {
      const raw = ((values[row * columns + at] ?? 0) - (means[at] ?? 0)) / (deviations[at] ?? 1);
      const value = Math.max(-6, Math.min(6, raw));
      x[at + 1] = value;
      margin += value * (solution[at + 1] ?? 0);
    }
    const chance = 1 / (1 + Math.exp(-margin));
    const weight = weights[row] ?? 1;
    const error = weight * ((outcomes[row] ?? 0) - chance);
    const curve = weight * chance * (1 - chance);
    for (let a = 0; a < size; a += 1) {
      const value = x[a] ?? 0;
      gradient[a] = (gradient[a] ?? 0) + error * value;
      const scaled = curve * value;
      if (scaled === 0) continue;
      for (let b = 0; b <= a; b += 1) {
        hessian[a * size + b] = (hessian[a * size + b] ?? 0) + scaled * (x[b] ?? 0);
      }
    }
  }
  return { gradient, hessian };
}

/** Solves a positive definite system by Cholesky's factors; only the lower half is read. */
export function solveSymmetric(
  matrix: Float64Array,
  right: Float64Array,
  size: number,
): Float64Array {
  const lower = Float64Array.from(matrix);
  for (let column = 0; column < size; column += 1) {
    for (let row = column; row < size; row += 1) {
      let sum = lower[row * size + column] ?? 0;
      for (let at = 0; at < column; at += 1) {
        sum -= (lower[row * size + at] ?? 0) * (lower[column * size + at] ?? 0);
      }
      const pivot = lower[column * size + column] ?? 1;
      lower[row * size + column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / pivot;
    }
  }
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    let sum = solution[row] ?? 0;
    for (let at = 0; at < row; at += 1) sum -= (lower[row * size + at] ?? 0) * (solution[at] ?? 0);
    solution[row] = sum / (lower[row * size + row] ?? 1);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = solution[row] ?? 0;
    for (let at = row + 1; at < size; at += 1) {
      sum -= (lower[at * size + row] ?? 0) * (solution[at] ?? 0);
    }
    solution[row] = sum / (lower[row * size + row] ?? 1);
  }
  return solution;
}
