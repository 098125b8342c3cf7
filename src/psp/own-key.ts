/**
 * Whether a reference at a PSP is an idempotency key of ours: `chargeKey` of the engine, or, of
 * charges made before there was one, the attempt's id and the ordinal of the charge in it.
 * Merchants' own references look otherwise.
 */
export function isOwnKey(reference: string): boolean {
  return (
    /^rcp_[0-9a-hjkmnp-tv-z]{30}$/.test(reference) ||
    /^att_[0-9a-hjkmnp-tv-z]{24}-[1-9]\d?$/.test(reference)
  );
}
