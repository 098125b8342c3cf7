import type { Random } from '../../domain/random.ts';
import type { Queryable, Statement } from '../database.ts';
import { deriveKey } from './encryption-key.ts';
import type { KeyProvider } from './key-provider.ts';
import { openServiceKey } from './service-key.ts';

const oldest: Statement = {
  name: 'find_oldest_wrapping_key',
  text: 'select key_id from data_keys order by created_at, merchant_id, version limit 1',
};

const use = 'hash credentials, v1';
const pepperBytes = 32;

/** A key of ours that the pepper may once have been derived from. */
export interface LocalKey {
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

/**
 * What the hashes of credentials are keyed by. It was derived from ENCRYPTION_KEY before that could be
 * replaced: the first start since derives it once more, from the key that the oldest data key is
 * wrapped by, and keeps it wrapped. A new database whose key is not ours to derive from gets a random one.
 *
 * @throws AppError encryption_key_wrong, key_service_failed
 */
export async function openCredentialPepper(
  deps: { readonly db: Queryable; readonly keys: KeyProvider; readonly random: Random },
  input: { readonly localKeys: readonly LocalKey[]; readonly at: Date },
): Promise<Uint8Array> {
  const first = () => firstPepper(deps, input.localKeys);
  return await openServiceKey(deps, { use, first, at: input.at });
}

async function firstPepper(
  { db, random }: { readonly db: Queryable; readonly random: Random },
  localKeys: readonly LocalKey[],
): Promise<Uint8Array> {
  const [row] = await db.query<{ key_id: string }>(oldest, []);
  const key = localKeys.find(({ keyId }) => keyId === row?.key_id) ?? localKeys[0];
  return key === undefined ? random.bytes(pepperBytes) : deriveKey(key.bytes, use);
}
