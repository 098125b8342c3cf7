import { AppError } from '../../domain/errors.ts';
import type { PolicySettings } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { MerchantChange, MerchantView } from '../operator-api.ts';
import { type CheckMerchantDeps, checkMerchant } from './check-merchant.ts';
import type { CredentialDeps } from './credentials.ts';
import type { PlacedConnection } from './psp-account-ports.ts';
import { placeOf, type TestedConnection } from './psp-accounts.ts';

/** How often connections are judged anew because another change of them came first. */
const maxTurns = 3;

/**
 * Changes the fields that are given; `psps` and `auth` replace what was there as a whole. An account
 * that is left out or replaced is retired, as when it is disconnected.
 *
 * @throws AppError invalid_request, merchant_url_refused, merchant_auth_needed, conflict
 */
export async function changeMerchant(
  deps: CheckMerchantDeps & CredentialDeps,
  input: {
    readonly merchantId: string;
    readonly change: MerchantChange;
    /** What the change's policy was made over; another one by now is a conflict. */
    readonly standing?: PolicySettings;
  },
): Promise<MerchantView | undefined> {
  const { merchantId, change, standing } = input;
  const changed = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
  if (changed.length === 0) return await deps.store.findMerchant(merchantId);
  await refuseOtherServer(deps, input);
  const tested = await checkMerchant(deps, change);
  const { psps, ...fields } = change;
  const audit = { action: 'merchant.changed', detail: { changed }, at: deps.clock.now() };
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const placed = psps && (await placeAll(deps, merchantId, tested));
    const view = await deps.store.changeMerchant({
      merchantId,
      change: fields,
      ...present({ psps: placed, standing: change.policy && standing }),
      audit,
    });
    if (view === 'changed') continue;
    if (view === 'policy_changed') {
      throw new AppError('conflict', 'Somebody else has just changed the policy. Load it again.');
    }
    deps.directory.forget(merchantId);
    return view;
  }
  throw new AppError('conflict', "Somebody else is changing the merchant's connections.");
}

/**
 * Stored credentials stay with the servers that they were given for: an address at another one needs
 * `auth` beside it. Otherwise whoever may change an address could have them sent to a host of their own.
 */
async function refuseOtherServer(
  { store }: CheckMerchantDeps & CredentialDeps,
  { merchantId, change }: { readonly merchantId: string; readonly change: MerchantChange },
): Promise<void> {
  if (change.auth !== undefined) return;
  const given = [change.retryStatusUrl, change.webhookUrl].filter((url) => url !== undefined);
  if (given.length === 0) return;
  const kept = await store.findMerchant(merchantId);
  if (kept === undefined || kept.authType === 'none') return;
  const known = [kept.retryStatusUrl, kept.webhookUrl].map(originOf);
  if (given.some((url) => !known.includes(originOf(url)))) {
    throw new AppError('merchant_auth_needed');
  }
}

/** Scheme, host and port; a text that is no address has none that another has. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}

async function placeAll(
  deps: CheckMerchantDeps & CredentialDeps,
  merchantId: string,
  tested: readonly TestedConnection[],
): Promise<readonly PlacedConnection[]> {
  const kept = await deps.store.readPspConnections(merchantId);
  return await Promise.all(tested.map((connection) => placeOf(deps, connection, kept)));
}
