/** Six significant digits: what a model keeps is what it was measured with. */
export function rounded(value: number): number {
  const size = Math.abs(value);
  if (!(size >= 1e-9 && size < 1e6)) return Number(value.toPrecision(6));
  // The same by arithmetic, which is many times faster; texts decide where halves are near.
  let scale = 1;
  while (size * scale < 1e5) scale *= 10;
  const scaled = size * scale;
  const whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (Math.abs(rest - 0.5) < 1e-6) return Number(value.toPrecision(6));
  const digits = rest > 0.5 ? whole + 1 : whole;
  return Math.sign(value) * (digits / scale);
}
