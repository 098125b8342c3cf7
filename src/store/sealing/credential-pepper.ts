import { invariant } from '../../domain/errors.ts';
import type { Random } from '../../domain/random.ts';
import type { Queryable, Statement } from '../database.ts';
import { deriveKey, type KeyUse } from './encryption-key.ts';
import type { KeyProvider } from './key-provider.ts';
import { unwrapKey, wrapKey } from './wrapped-key.ts';

const find: Statement = {
  name: 'find_service_key',
  text: 'select wrapped_key from service_keys where use = $1',
};

/** Whoever is first; all others read it. */
const insert: Statement = {
  name: 'insert_service_key',
  text: `
    insert into service_keys (use, wrapped_key, created_at) values ($1, $2, $3)
    on conflict do nothing`,
};

const oldest: Statement = {
  name: 'find_oldest_wrapping_key',
  text: 'select key_id from data_keys order by created_at, merchant_id, version limit 1',
};

const use: KeyUse = 'hash credentials, v1';
const pepperBytes = 32;

/** The place of a key of the service, which it opens in alone. */
export function serviceKeyPlace(name: string): string {
  return JSON.stringify(['service_keys', name]);
}

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
  const { db, keys } = deps;
  const known = await read(db);
  if (known !== undefined) return await unwrapKey(keys, known, serviceKeyPlace(use));
  const pepper = await firstPepper(deps, input.localKeys);
  await db.query(insert, [use, await wrapKey(keys, pepper, serviceKeyPlace(use)), input.at]);
  const kept = await read(db);
  invariant(kept !== undefined, 'a key that was inserted is there');
  return await unwrapKey(keys, kept, serviceKeyPlace(use));
}

async function read(db: Queryable): Promise<Uint8Array | undefined> {
  const [row] = await db.query<{ wrapped_key: Buffer }>(find, [use]);
  return row?.wrapped_key;
}

async function firstPepper(
  { db, random }: { readonly db: Queryable; readonly random: Random },
  localKeys: readonly LocalKey[],
): Promise<Uint8Array> {
  const [row] = await db.query<{ key_id: string }>(oldest, []);
  const key = localKeys.find(({ keyId }) => keyId === row?.key_id) ?? localKeys[0];
  return key === undefined ? random.bytes(pepperBytes) : deriveKey(key.bytes, use);
}
