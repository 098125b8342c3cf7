import type { MerchantChange, MerchantView } from '../operator-api.ts';
import { type CheckMerchantDeps, checkMerchant } from './check-merchant.ts';
import type { CredentialDeps } from './credentials.ts';

/**
 * Changes the fields that are given; `psps` and `auth` replace what was there as a whole.
 *
 * @throws AppError invalid_request, merchant_url_refused
 */
export async function changeMerchant(
  deps: CheckMerchantDeps & CredentialDeps,
  input: { readonly merchantId: string; readonly change: MerchantChange },
): Promise<MerchantView | undefined> {
  const { merchantId, change } = input;
  const changed = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
  if (changed.length === 0) return await deps.store.findMerchant(merchantId);
  await checkMerchant(deps, change);
  const view = await deps.store.changeMerchant({
    merchantId,
    change,
    audit: { action: 'merchant.changed', detail: { changed }, at: deps.clock.now() },
  });
  deps.directory.forget(merchantId);
  return view;
}
