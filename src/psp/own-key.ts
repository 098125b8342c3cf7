/**
 * Whether a reference at a PSP is an idempotency key of ours: the attempt's id (`newId` of the
 * domain) and the ordinal of the charge in it. Merchants' own references look otherwise.
 */
export function isOwnKey(reference: string): boolean {
  return /^att_[0-9a-hjkmnp-tv-z]{24}-[1-9]\d?$/.test(reference);
}
