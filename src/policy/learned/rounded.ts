/** Six significant digits: what a model keeps is what it was measured with. */
export function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
