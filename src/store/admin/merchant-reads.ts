import { invariant } from '../../domain/errors.ts';
import type { MerchantAuth } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { MerchantReads } from '../../recovery/admin/ports.ts';
import { forAll } from '../pool/for-all.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { MerchantDatabases } from '../wall/merchant-databases.ts';
import { findApiKeyByHash, findPasswordByHash, noteCredentialUse } from './credentials.ts';
import { findMerchant } from './merchants.ts';
import { readPspConnections } from './psp-connections.ts';
import { readSecrets } from './secrets.ts';

/** The reads of every call and every attempt, one statement each. Those at the same time share them. */
export function createMerchantReads(deps: {
  readonly databases: Pick<MerchantDatabases, 'of' | 'door'>;
  readonly sealer: Sealer;
}): MerchantReads {
  const { databases, sealer } = deps;
  const of = (merchantId: string) => forAll(databases.of(merchantId));
  const door = forAll(databases.door);
  return {
    findMerchant: (merchantId) => findMerchant(of(merchantId), merchantId),
    findApiKey: (hash) => findApiKeyByHash(door, hash),
    findDisputesPassword: (hash) => findPasswordByHash(door, hash),
    noteUse: (input) => noteCredentialUse(of(input.merchantId), input),
    readPspConnections: (merchantId) =>
      readPspConnections({ db: of(merchantId), sealer }, merchantId),
    async readSecrets(merchantId, validAt) {
      const kinds = ['signing_secret', 'merchant_auth'] as const;
      const stored = await readSecrets(of(merchantId), { merchantId, kinds, validAt });
      if (stored === undefined) return undefined;
      let auth: MerchantAuth = { type: 'none' };
      const signingSecrets: { text: string; expiresAt?: Date }[] = [];
      for (const { place, dataKey, sealed, expiresAt } of stored) {
        const text = await sealer.open(place, dataKey, sealed);
        if (place.kind === 'merchant_auth') auth = parseAuth(text);
        else signingSecrets.push({ text, ...present({ expiresAt }) });
      }
      return { auth, signingSecrets };
    },
  };
}

/** What was sealed is what was checked when it was given: the authenticated text is our own. */
function parseAuth(text: string): MerchantAuth {
  const auth = JSON.parse(text) as MerchantAuth;
  invariant(auth.type === 'api_key' || auth.type === 'basic', 'sealed auth has a known type');
  return auth;
}
