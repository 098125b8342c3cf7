import { createSecretKey, type KeyObject } from 'node:crypto';
import { invariant } from '../../domain/errors.ts';
import type { Random } from '../../domain/random.ts';
import { currentDataKey } from '../admin/secrets.ts';
import type { Queryable, Statement } from '../database.ts';
import { forAll } from '../pool/for-all.ts';
import type { Sealer, SecretPlace, WrappedDataKey } from '../sealing/sealer.ts';

/**
 * A merchant's keys for what is hashed, and the data key that new subjects' keys are wrapped by.
 */
export interface MerchantKeys {
  /** For the ids of analytics records and persons, which have to stay the same for ever. */
  readonly identity: KeyObject;
  /** For the indexes of new analytics records. */
  readonly index: KeyObject;
  readonly indexVersion: number;
  readonly dataKey: WrappedDataKey;
}

export interface IndexKeys {
  /** Of a merchant that is there; made at the first analytics record. */
  of(merchantId: string, at: Date): Promise<MerchantKeys>;
}

const find: Statement = {
  name: 'find_analytics_index_keys',
  text: `
    select i.version, i.sealed_key, i.key_version, k.wrapped_key
    from analytics_index_keys i
    join data_keys k on k.merchant_id = i.merchant_id and k.version = i.key_version
    where i.merchant_id = $1
    order by i.version`,
};

const insert: Statement = {
  name: 'insert_analytics_index_key',
  text: `
    insert into analytics_index_keys (merchant_id, version, key_version, sealed_key, created_at)
    values ($1, $2, $3, $4, $5)
    on conflict do nothing`,
};

interface KeyRow {
  readonly version: number;
  readonly sealed_key: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

const firstVersion = 1;
const keyBytes = 32;
/** Merchants whose keys are kept in memory. */
const maxKept = 10_000;

/** Keys never change, so a process asks for a merchant's once. */
export function createIndexKeys(deps: {
  readonly db: Queryable;
  readonly sealer: Sealer;
  readonly random: Random;
}): IndexKeys {
  const kept = new Map<string, Promise<MerchantKeys>>();
  return {
    of(merchantId, at) {
      const known = kept.get(merchantId);
      if (known !== undefined) return known;
      if (kept.size >= maxKept) kept.clear();
      const loading = load(deps, merchantId, at);
      kept.set(merchantId, loading);
      loading.catch(() => kept.delete(merchantId));
      return loading;
    },
  };
}

type Deps = Parameters<typeof createIndexKeys>[0];

async function load(deps: Deps, merchantId: string, at: Date): Promise<MerchantKeys> {
  const { sealer, random } = deps;
  const db = forAll(deps.db);
  const dataKey = await currentDataKey(db, merchantId);
  invariant(dataKey !== undefined, 'a merchant has a data key');
  let rows = await db.query<KeyRow>(find, [merchantId]);
  if (rows.length === 0) {
    const place = placeOf(merchantId, firstVersion);
    const sealed = await sealer.seal(place, dataKey, random.bytes(keyBytes));
    await db.query(insert, [merchantId, firstVersion, dataKey.version, sealed, at]);
    rows = await db.query<KeyRow>(find, [merchantId]);
  }
  const opened = await Promise.all(rows.map((row) => openKey(sealer, merchantId, row)));
  const [identity, index, row] = [opened[0], opened.at(-1), rows.at(-1)];
  invariant(identity !== undefined && index !== undefined && row !== undefined, 'a key was made');
  return { identity, index, indexVersion: row.version, dataKey };
}

async function openKey(sealer: Sealer, merchantId: string, row: KeyRow): Promise<KeyObject> {
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  const place = placeOf(merchantId, row.version);
  return createSecretKey(await sealer.openBytes(place, dataKey, row.sealed_key));
}

function placeOf(merchantId: string, version: number): SecretPlace {
  return { merchantId, kind: 'analytics_index', name: version.toString() };
}
