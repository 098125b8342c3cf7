import { newMerchantId } from '../../domain/ids.ts';
import { defaultTimeZone } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { CreatedMerchant, NewMerchant } from '../operator-api.ts';
import { type CheckMerchantDeps, checkMerchant } from './check-merchant.ts';
import { type CredentialDeps, newCredential } from './credentials.ts';
import { placeOf } from './psp-accounts.ts';

/**
 * Creates a merchant with one credential of each kind, all in one transaction. The answer is the
 * only place where their texts are ever shown.
 *
 * @throws AppError invalid_request, merchant_url_refused
 */
export async function createMerchant(
  deps: CheckMerchantDeps & CredentialDeps,
  input: NewMerchant,
): Promise<CreatedMerchant> {
  const tested = await checkMerchant(deps, input);
  const psps = await Promise.all(tested.map((connection) => placeOf(deps, connection, [])));
  const at = deps.clock.now();
  const merchantId = newMerchantId(deps.random, deps.cell);
  const apiKey = newCredential(deps, 'recovery_api_key', at);
  const password = newCredential(deps, 'disputes_password', at);
  const signingSecret = newCredential(deps, 'signing_secret', at);
  await deps.store.insertMerchant({
    ...input,
    merchantId,
    psps,
    credentials: [apiKey, password, signingSecret],
    audit: {
      action: 'merchant.created',
      detail: { name: input.name, psps: input.psps.map(({ psp }) => psp), auth: input.auth.type },
      at,
    },
  });
  return {
    merchant: {
      merchantId,
      name: input.name,
      retryStatusUrl: input.retryStatusUrl,
      webhookUrl: input.webhookUrl,
      policy: input.policy,
      timeZone: input.timeZone ?? defaultTimeZone,
      endOfDunning: input.endOfDunning,
      incidentEvents: input.incidentEvents ?? false,
      customerActionEvents: input.customerActionEvents ?? false,
      webhookQuickSends: input.webhookQuickSends ?? false,
      ...present({
        customerPageUrl: input.customerPageUrl ?? undefined,
        webhookPauseAfterDays: input.webhookPauseAfterDays ?? undefined,
      }),
      psps: input.psps.map(({ psp }) => psp).sort(),
      authType: input.auth.type,
      createdAt: at,
      updatedAt: at,
    },
    recoveryApiKey: apiKey.text,
    disputesUsername: merchantId,
    disputesPassword: password.text,
    signingSecret: signingSecret.text,
  };
}
