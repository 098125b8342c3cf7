import { createSecretKey, type KeyObject } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { Random } from '../../domain/random.ts';
import { decrypt, encrypt } from './cipher.ts';
import type { KeyProvider } from './key-provider.ts';
import { unwrapKey, wrapKey } from './wrapped-key.ts';

/** Where a sealed text belongs. It opens nowhere else: the place is authenticated with it. */
export interface SecretPlace {
  readonly merchantId: string;
  readonly kind: SecretKind;
  readonly name: string;
}
export type SecretKind =
  | 'signing_secret'
  | 'merchant_auth'
  | 'psp_credentials'
  | 'endpoint'
  | 'psp_event'
  | 'analytics_index'
  | 'analytics_subject'
  | 'customer_address'
  | 'dispute_note'
  | 'dispute_attachment'
  | 'dispute_rebuttal'
  | 'repeated_answer';

/** One version of a merchant's data key, as its row holds it. */
export interface WrappedDataKey {
  readonly version: number;
  readonly wrappedKey: Uint8Array;
}

/** Seals texts under the merchant's data key, and opens them again. */
export interface Sealer {
  newDataKey(merchantId: string, version: number): Promise<WrappedDataKey>;
  seal(place: SecretPlace, dataKey: WrappedDataKey, text: string | Uint8Array): Promise<Uint8Array>;
  /** @throws AppError encryption_key_wrong where the key is another or the secret was changed */
  open(place: SecretPlace, dataKey: WrappedDataKey, sealed: Uint8Array): Promise<string>;
  /** The same for what was sealed as bytes. */
  openBytes(place: SecretPlace, dataKey: WrappedDataKey, sealed: Uint8Array): Promise<Uint8Array>;
  /** Proves that a data key unwraps. @throws AppError encryption_key_wrong */
  verify(merchantId: string, dataKey: WrappedDataKey): Promise<void>;
  /** The same data key, wrapped by the present wrapping key. @throws AppError encryption_key_wrong */
  rewrap(merchantId: string, dataKey: WrappedDataKey): Promise<WrappedDataKey>;
}

const format = 1;
const dataKeyBytes = 32;
/** A sealed text begins with the format and the version of its data key, as an unsigned 32 bits. */
const sealedHeaderBytes = 5;
/** Unwrapped data keys kept in memory: a key management service is asked once for each. */
const maxKept = 10_000;

export function createSealer(deps: {
  readonly keys: KeyProvider;
  readonly random: Random;
}): Sealer {
  const { keys, random } = deps;
  const kept = new Map<string, KeyObject>();

  async function dataKeyOf(merchantId: string, dataKey: WrappedDataKey): Promise<KeyObject> {
    const id = `${merchantId} ${dataKey.version}`;
    const known = kept.get(id);
    if (known !== undefined) return known;
    const key = createSecretKey(await unwrap(keys, merchantId, dataKey));
    if (kept.size >= maxKept) kept.clear();
    kept.set(id, key);
    return key;
  }

  async function openBytes(
    place: SecretPlace,
    dataKey: WrappedDataKey,
    sealed: Uint8Array,
  ): Promise<Uint8Array> {
    const begins = Buffer.from(sealed.subarray(0, sealedHeaderBytes));
    const key = await dataKeyOf(place.merchantId, dataKey);
    const context = secretContext(place, dataKey.version);
    const plain = begins.equals(sealedHeader(dataKey.version))
      ? decrypt({ key, context, sealed: sealed.subarray(sealedHeaderBytes) })
      : undefined;
    if (plain !== undefined) return plain;
    throw new AppError(
      'encryption_key_wrong',
      `A secret of the merchant ${place.merchantId} (${place.kind}) does not open.`,
    );
  }

  return {
    async newDataKey(merchantId, version) {
      const plain = random.bytes(dataKeyBytes);
      return { version, wrappedKey: await wrapKey(keys, plain, placeOf(merchantId, version)) };
    },
    async seal(place, dataKey, text) {
      const key = await dataKeyOf(place.merchantId, dataKey);
      const context = secretContext(place, dataKey.version);
      const sealed = encrypt(random, { key, context, plain: Buffer.from(text) });
      return Buffer.concat([sealedHeader(dataKey.version), sealed]);
    },
    async open(place, dataKey, sealed) {
      return Buffer.from(await openBytes(place, dataKey, sealed)).toString();
    },
    openBytes,
    async verify(merchantId, dataKey) {
      await unwrap(keys, merchantId, dataKey);
    },
    async rewrap(merchantId, dataKey) {
      const { version } = dataKey;
      const plain = await unwrap(keys, merchantId, dataKey);
      return { version, wrappedKey: await wrapKey(keys, plain, placeOf(merchantId, version)) };
    },
  };
}

function unwrap(
  keys: KeyProvider,
  merchantId: string,
  { version, wrappedKey }: WrappedDataKey,
): Promise<Uint8Array> {
  return unwrapKey(keys, wrappedKey, placeOf(merchantId, version));
}

function sealedHeader(version: number): Buffer {
  const bytes = Buffer.alloc(sealedHeaderBytes);
  bytes.writeUInt8(format, 0);
  bytes.writeUInt32BE(version, 1);
  return bytes;
}

/** JSON of a list: no two places give the same text. */
function placeOf(merchantId: string, version: number): string {
  return JSON.stringify(['data_keys', merchantId, version]);
}

function secretContext({ merchantId, kind, name }: SecretPlace, version: number): string {
  return JSON.stringify(['secrets', merchantId, kind, name, version]);
}
