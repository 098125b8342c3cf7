/** A share from 0 to 1 in per cent. */
export function shareText(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** A share that was measured, with its interval where it has one; `unknown` where nothing was. */
export function measuredText(
  share: { readonly value: number; readonly low?: number; readonly high?: number } | undefined,
  digits = 1,
): string {
  if (share === undefined) return 'unknown';
  const { value, low, high } = share;
  if (low === undefined || high === undefined) return shareText(value, digits);
  return `${shareText(value, digits)} (${shareText(low, digits)} to ${shareText(high, digits)})`;
}
