/**
 * An amount with so many decimals more, or less where it is negative. It multiplies or divides by a whole
 * power of ten: the inverse of one is not exact.
 */
export function shiftDecimals(amount: number, decimals: number): number {
  return (amount * 10 ** Math.max(decimals, 0)) / 10 ** Math.max(-decimals, 0);
}
