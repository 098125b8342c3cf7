/** The sum of values, each times its weight; four sums side by side do not wait for each other. */
export function weightedSum(weights: Float64Array, values: Float64Array): number {
  const { length } = weights;
  const whole = length - (length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < whole; at += 4) {
    a += (weights[at] ?? 0) * (values[at] ?? 0);
    b += (weights[at + 1] ?? 0) * (values[at + 1] ?? 0);
    c += (weights[at + 2] ?? 0) * (values[at + 2] ?? 0);
    d += (weights[at + 3] ?? 0) * (values[at + 3] ?? 0);
  }
  for (let at = whole; at < length; at += 1) a += (weights[at] ?? 0) * (values[at] ?? 0);
  return a + b + (c + d);
}
