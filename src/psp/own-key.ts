/** An attempt's id (24 characters of base 32, src/domain/ids.ts), a hyphen and the charge's ordinal. */
const ownKey = /^att_[0-9a-hjkmnp-tv-z]{24}-\d{1,3}$/;

/** Whether a reference at a PSP has the form of our idempotency keys, so that it names our charge. */
export function isOwnKey(reference: string): boolean {
  return ownKey.test(reference);
}
