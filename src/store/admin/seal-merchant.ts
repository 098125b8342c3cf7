import type { MerchantAuth } from '../../domain/merchant.ts';
import type { PspConnection } from '../../recovery/operator-api.ts';
import type { Sealer, SecretPlace, WrappedDataKey } from '../sealing/sealer.ts';
import type { SealedSecret } from './secrets.ts';

/** What seals, and the current data key of the merchant that it seals for. */
export interface SealFor {
  readonly sealer: Sealer;
  readonly merchantId: string;
  readonly dataKey: WrappedDataKey;
}

/** Named by its type, so that the type can be shown without opening it. No auth is no secret. */
export async function sealAuth(target: SealFor, auth: MerchantAuth): Promise<SealedSecret[]> {
  if (auth.type === 'none') return [];
  return [await sealOne(target, 'merchant_auth', auth.type, JSON.stringify(auth))];
}

/** One secret for each connection that has credentials, named by its PSP. */
export async function sealPsps(
  target: SealFor,
  psps: readonly PspConnection[],
): Promise<SealedSecret[]> {
  return await Promise.all(
    psps
      .filter(({ credentials }) => Object.keys(credentials).length > 0)
      .map(({ psp, credentials }) =>
        sealOne(target, 'psp_credentials', psp, JSON.stringify(credentials)),
      ),
  );
}

/** Named by its credential id; every valid one signs. */
export async function sealSigningSecret(
  target: SealFor,
  credentialId: string,
  text: string,
): Promise<SealedSecret> {
  return await sealOne(target, 'signing_secret', credentialId, text);
}

async function sealOne(
  { sealer, merchantId, dataKey }: SealFor,
  kind: SecretPlace['kind'],
  name: string,
  text: string,
): Promise<SealedSecret> {
  const place = { merchantId, kind, name };
  const sealed = await sealer.seal(place, dataKey, text);
  return { place, keyVersion: dataKey.version, sealed };
}
