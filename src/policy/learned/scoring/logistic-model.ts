/** Log odds = intercept + sum of coefficient x (value - mean) / deviation. */
export interface LogisticModel {
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly intercept: number;
  readonly coefficients: readonly number[];
}

/** The log odds of a row of features. */
export function logisticMargin(
  model: LogisticModel,
  values: Float64Array | Float32Array,
  from = 0,
): number {
  const flat = flatLogistic(model);
  const { length } = flat.coefficients;
  let sum = model.intercept;
  for (let at = 0; at < length; at += 1) sum += logisticTerm(flat, at, values[from + at] ?? 0);
  return sum;
}

/** A model's numbers as they are reckoned with. */
export interface FlatLogistic {
  readonly means: Float64Array;
  readonly inverses: Float64Array;
  readonly coefficients: Float64Array;
}

/** What one feature adds; values far from all that was learned from count as six deviations. */
export function logisticTerm(
  { means, inverses, coefficients }: FlatLogistic,
  at: number,
  value: number,
): number {
  const scaled = (value - (means[at] ?? 0)) * (inverses[at] ?? 1);
  return (coefficients[at] ?? 0) * (scaled > 6 ? 6 : scaled < -6 ? -6 : scaled);
}

const flats = new WeakMap<LogisticModel, FlatLogistic>();

/** The flat form of a model, made once for each. */
export function flatLogistic(model: LogisticModel): FlatLogistic {
  const known = flats.get(model);
  if (known !== undefined) return known;
  const flat = {
    means: Float64Array.from(model.means),
    inverses: Float64Array.from(model.deviations, (deviation) => 1 / deviation),
    coefficients: Float64Array.from(model.coefficients),
  };
  flats.set(model, flat);
  return flat;
}
