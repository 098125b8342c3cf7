/** A share in words: `12.5 %`, and of nothing `none yet`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? 'none yet' : `${((part / whole) * 100).toFixed(1)} %`;
}
