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
  /** A model to begin at and to be pulled to. */
  readonly start?: LogisticModel;
}

const maxRounds = 12;
const enough = 1e-6;
/** A feature that hardly changed while it was learned from must not carry far when it does. */
const minDeviation = 0.1;
/** The deviation of a feature that was the same in all rows: it has no say, nor can it learn one. */
const neverChanged = 1e6;

/**
 * Logistic regression with a quadratic penalty, by Newton's steps (iteratively reweighted least
 * squares). Exact: the same rows give the same coefficients. `rows` are the ones to learn from.
 */
export function fitLogistic(
  matrix: Matrix,
  rows: Uint32Array,
  { penalty, start }: LogisticOptions,
): LogisticModel {
  const own = measureScale(matrix, rows);
  const begin = start === undefined ? nothingLearned(own) : rescaled(start, own);
  const size = matrix.columns + 1;
  const centre = Float64Array.from([begin.intercept, ...begin.coefficients]);
  const solution = Float64Array.from(centre);
  for (let round = 0; round < maxRounds; round += 1) {
    const { gradient, hessian } = derivatives(matrix, rows, begin, solution);
    for (let at = 0; at < size; at += 1) {
      const pull = pullOf(at, penalty, start);
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
    means: begin.means,
    deviations: begin.deviations,
    intercept: rounded(solution[0] ?? 0),
    coefficients: Array.from(solution.subarray(1), rounded),
  };
}

/** A feature that the start could learn nothing of is pulled to 0 by no more than this. */
const freshPenalty = 5;

/** The pull of a coefficient; 0 is the intercept, which is free unless there is one to begin at. */
function pullOf(at: number, penalty: number, start: LogisticModel | undefined): number {
  if (at === 0) return start === undefined ? 1e-6 : penalty;
  const isFresh = start?.deviations[at - 1] === neverChanged;
  return isFresh ? Math.min(penalty, freshPenalty) : penalty;
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
      return variance > 1e-8 ? rounded(Math.max(minDeviation, Math.sqrt(variance))) : neverChanged;
    }),
  };
}

function nothingLearned(scale: Scale): LogisticModel {
  return { ...scale, intercept: 0, coefficients: scale.means.map(() => 0) };
}

/**
 * The same model, its features scaled as other rows have them: so that what never changed where it was
 * made can be learned where it does. Features that change less in those rows keep their scale.
 */
export function rescaled(model: LogisticModel, own: Scale): LogisticModel {
  let { intercept } = model;
  const means: number[] = [];
  const deviations: number[] = [];
  const coefficients: number[] = [];
  model.coefficients.forEach((coefficient, at) => {
    const [mean, deviation] = [model.means[at] ?? 0, model.deviations[at] ?? 1];
    const [ownMean, ownDeviation] = [own.means[at] ?? 0, own.deviations[at] ?? 1];
    const wasConstant = deviation === neverChanged;
    // A narrower scale would cut off, at six deviations, what the model knows of other values.
    const isKept = ownDeviation === neverChanged || (!wasConstant && ownDeviation <= deviation);
    means.push(isKept ? mean : ownMean);
    deviations.push(isKept ? deviation : ownDeviation);
    if (isKept || wasConstant) {
      coefficients.push(isKept ? coefficient : 0);
      return;
    }
    coefficients.push((coefficient * ownDeviation) / deviation);
    intercept += (coefficient * (ownMean - mean)) / deviation;
  });
  return { means, deviations, intercept, coefficients };
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
