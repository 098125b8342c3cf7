/** One cell: successes of tries. */
export interface HeatCell {
  readonly tries: number;
  readonly successes: number;
}

/** Below this many tries a share says little, and the cell says so. */
export const fewTries = 20;

/** How much of the colour a cell has: the fewer its tries, the paler, since they say less. */
export function heatOf(cell: HeatCell, max: number): number {
  const trust = Math.min(1, cell.tries / fewTries);
  return Math.round((shareOf(cell) / max) * trust * 100);
}

export function shareOf({ tries, successes }: HeatCell): number {
  return tries === 0 ? 0 : successes / tries;
}
