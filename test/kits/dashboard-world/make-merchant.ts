import { newMerchantId } from '../../../src/domain/ids.ts';
import type { PolicySettings } from '../../../src/domain/merchant.ts';
import type { Random } from '../../../src/domain/random.ts';
import { newCredential } from '../../../src/recovery/admin/credentials.ts';
import { actAs } from '../../../src/store/admin/acting.ts';
import { createAdminStore } from '../../../src/store/admin/admin-store.ts';
import type { Database } from '../../../src/store/database.ts';
import { openCredentialPepper } from '../../../src/store/sealing/credential-pepper.ts';
import { credentialHasher } from '../../../src/store/sealing/encryption-key.ts';
import { localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createKeyRing } from '../../../src/store/sealing/key-ring.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';

/**
 * Creates a merchant as `POST /api/merchants` does, but with the ids that `random` gives: which arm a
 * payment is in, which of two rows of one time comes first, and the intervals' draws go by the
 * merchant's id, and are to be the same at every run.
 */
export async function makeMerchant(
  deps: { readonly db: Database; readonly encryptionKey: string; readonly random: Random },
  input: { readonly name: string; readonly policy: PolicySettings; readonly at: Date },
): Promise<{ readonly id: string; readonly disputesPassword: string }> {
  const { db, random } = deps;
  const { name, policy, at } = input;
  const bytes = Buffer.from(deps.encryptionKey, 'hex');
  const keys = createKeyRing(localKeyProvider({ random }, bytes), []);
  const sealer = createSealer({ keys, random });
  const pepper = await openCredentialPepper({ db, keys, random }, { localKeys: [], at });
  const store = createAdminStore({ db, sealer, hashCredential: credentialHasher(pepper) });
  const merchantId = newMerchantId(random, undefined);
  const password = newCredential({ random, keyMode: 'test' }, 'disputes_password', at);
  const credential = (kind: Parameters<typeof newCredential>[1]) =>
    newCredential({ random, keyMode: 'test' }, kind, at);
  const site = `https://billing.${name.split(' ')[0]?.toLowerCase()}.example`;
  await actAs({ actor: 'operator', address: '127.0.0.1' }, () =>
    store.insertMerchant({
      merchantId,
      name,
      retryStatusUrl: `${site}/retry/{invoice_id}`,
      webhookUrl: `${site}/webhooks/retry-results`,
      auth: { type: 'none' },
      psps: [{ psp: 'sandbox', credentials: {}, account: 'sandbox', mode: 'sandbox' }],
      policy,
      endOfDunning: false,
      credentials: [credential('recovery_api_key'), password, credential('signing_secret')],
      audit: {
        action: 'merchant.created',
        detail: { name, psps: ['sandbox'], auth: 'none' },
        at,
      },
    }),
  );
  return { id: merchantId, disputesPassword: password.text };
}
