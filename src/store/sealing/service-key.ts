import { invariant } from '../../domain/errors.ts';
import type { Queryable, Statement } from '../database.ts';
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

/** What the service itself keeps a key for. */
export type ServiceKeyUse = 'hash credentials, v1' | 'seal alert channels, v1';

/** What the hashes of the credentials that this cell issues are keyed by. */
export const ownPepperUse: ServiceKeyUse = 'hash credentials, v1';

/** The same of another cell, of which merchants were moved here; empty: of a Recoup that is no cell. */
export function pepperUseOf(cell: string): string {
  return `${ownPepperUse} of ${cell}`;
}

/** The place of a key of the service, which it opens in alone. */
export function serviceKeyPlace(name: string): string {
  return JSON.stringify(['service_keys', name]);
}

/**
 * A key of the service, wrapped like the data keys: made when it is needed first, and the same ever after.
 *
 * @throws AppError encryption_key_wrong, key_service_failed
 */
export async function openServiceKey(
  { db, keys }: { readonly db: Queryable; readonly keys: KeyProvider },
  input: {
    readonly use: ServiceKeyUse;
    readonly first: () => Promise<Uint8Array>;
    readonly at: Date;
  },
): Promise<Uint8Array> {
  const { use, at } = input;
  const known = await read(db, use);
  if (known !== undefined) return await unwrapKey(keys, known, serviceKeyPlace(use));
  const made = await input.first();
  await db.query(insert, [use, await wrapKey(keys, made, serviceKeyPlace(use)), at]);
  const kept = await read(db, use);
  invariant(kept !== undefined, 'a key that was inserted is there');
  return await unwrapKey(keys, kept, serviceKeyPlace(use));
}

/** A key that is there, or undefined. @throws AppError encryption_key_wrong, key_service_failed */
export async function findServiceKey(
  { db, keys }: { readonly db: Queryable; readonly keys: KeyProvider },
  use: string,
): Promise<Uint8Array | undefined> {
  const known = await read(db, use);
  return known && (await unwrapKey(keys, known, serviceKeyPlace(use)));
}

async function read(db: Queryable, use: string): Promise<Uint8Array | undefined> {
  const [row] = await db.query<{ wrapped_key: Buffer }>(find, [use]);
  return row?.wrapped_key;
}
