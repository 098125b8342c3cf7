import { createAddressGuard, type GuardSettings } from './address-guard.ts';

export type UrlCheck =
  | { readonly kind: 'ok' }
  | { readonly kind: 'refused'; readonly detail: string };

/** The longest address that is stored; the columns say the same. */
const maxStoredLength = 2048;

/**
 * Whether an address may be saved for a merchant; `{invoice_id}` may stand in its path or query. A
 * name that does not resolve just now passes: every connection is checked again when it is made.
 * Throws AppError config_invalid for a faulty allow-list.
 */
export async function checkMerchantUrl(settings: GuardSettings, url: string): Promise<UrlCheck> {
  if (url.length > maxStoredLength) {
    const detail = `The address is longer than ${maxStoredLength} characters.`;
    return { kind: 'refused', detail };
  }
  const guard = createAddressGuard(settings);
  const reading = guard.readUrl(url);
  if (reading.kind === 'refused') return reading;
  const resolution = await guard.resolve(reading.target);
  if (resolution.kind === 'failed' && resolution.failure.cause === 'address_refused') {
    return { kind: 'refused', detail: resolution.failure.detail };
  }
  return { kind: 'ok' };
}
