/** The middle value; of an even number, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank: the smallest value that `percent` of all do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}
