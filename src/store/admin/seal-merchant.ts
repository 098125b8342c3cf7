import type { MerchantAuth } from '../../domain/merchant.ts';
import type { StoredEndpointSecrets } from '../../recovery/endpoints/endpoint-ports.ts';
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

/** The credentials of a connection under that name; undefined where it has none. */
export async function sealPsp(
  target: SealFor,
  { credentials }: PspConnection,
  name: string,
): Promise<SealedSecret | undefined> {
  if (Object.keys(credentials).length === 0) return undefined;
  return await sealOne(target, 'psp_credentials', name, JSON.stringify(credentials));
}

/** Named by its credential id; every valid one signs. */
export async function sealSigningSecret(
  target: SealFor,
  credentialId: string,
  text: string,
): Promise<SealedSecret> {
  return await sealOne(target, 'signing_secret', credentialId, text);
}

/** Named by its id: all that opens it, as one text. */
export async function sealEndpoint(
  target: SealFor,
  endpointId: string,
  secrets: StoredEndpointSecrets,
): Promise<SealedSecret> {
  return await sealOne(target, 'endpoint', endpointId, JSON.stringify(secrets));
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
