import { present } from '../../domain/present.ts';
import type { Queryable, Statement } from '../database.ts';
import type { SecretKind, SecretPlace, WrappedDataKey } from '../sealing/sealer.ts';

/** A text sealed for its place, as its row is to hold it. */
export interface SealedSecret {
  readonly place: SecretPlace;
  readonly keyVersion: number;
  readonly sealed: Uint8Array;
}

/** A sealed text as it was read, with the data key that opens it. */
export interface StoredSecret {
  readonly place: SecretPlace;
  readonly dataKey: WrappedDataKey;
  readonly sealed: Uint8Array;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
}

const insertKey: Statement = {
  name: 'insert_data_key',
  text: `insert into data_keys (merchant_id, version, wrapped_key, created_at) values ($1, $2, $3, $4)`,
};

const currentKey: Statement = {
  name: 'find_current_data_key',
  text: `
    select version, wrapped_key from data_keys where merchant_id = $1
    order by version desc limit 1`,
};

const insert: Statement = {
  name: 'insert_secret',
  text: `
    insert into secrets (merchant_id, kind, name, key_version, sealed, created_at)
    values ($1, $2, $3, $4, $5, $6)`,
};

const remove: Statement = {
  name: 'remove_secrets',
  text: 'delete from secrets where merchant_id = $1 and kind = $2',
};

const removeNamed: Statement = {
  name: 'remove_secret',
  text: 'delete from secrets where merchant_id = $1 and kind = $2 and name = $3',
};

const countValid: Statement = {
  name: 'count_valid_signing_secrets',
  text: `
    select count(*)::int as count from secrets
    where merchant_id = $1 and kind = 'signing_secret' and (expires_at is null or expires_at > $2)`,
};

/** What ends sooner stays as it is: a rotation neither prolongs nor revives. */
const end: Statement = {
  name: 'end_signing_secrets',
  text: `
    update secrets set expires_at = $3
    where merchant_id = $1 and kind = 'signing_secret' and ($2::text is null or name = $2)
      and (expires_at is null or expires_at > $3)`,
};

/**
 * The newest first; of two from the same moment, the one that lasts. One row of nulls for a merchant
 * that has none of these; no row where there is no such merchant.
 */
const read: Statement = {
  name: 'read_secrets',
  text: `
    select s.kind, s.name, s.sealed, s.created_at, s.expires_at, s.key_version, k.wrapped_key
    from merchants m
    left join secrets s
      on s.merchant_id = m.merchant_id and s.kind = any ($2::text[])
      and ($3::timestamptz is null or s.expires_at is null or s.expires_at > $3)
    left join data_keys k on k.merchant_id = s.merchant_id and k.version = s.key_version
    where m.merchant_id = $1
    order by s.created_at desc, s.expires_at desc nulls first, s.name`,
};

interface SecretRow {
  readonly kind: SecretKind | null;
  readonly name: string;
  readonly sealed: Buffer;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

export async function insertDataKey(
  tx: Queryable,
  input: { readonly merchantId: string; readonly dataKey: WrappedDataKey; readonly at: Date },
): Promise<void> {
  const { version, wrappedKey } = input.dataKey;
  await tx.query(insertKey, [input.merchantId, version, wrappedKey, input.at]);
}

/** The data key that new secrets of the merchant are sealed under. */
export async function currentDataKey(
  db: Queryable,
  merchantId: string,
): Promise<WrappedDataKey | undefined> {
  const [row] = await db.query<{ version: number; wrapped_key: Buffer }>(currentKey, [merchantId]);
  return row === undefined ? undefined : { version: row.version, wrappedKey: row.wrapped_key };
}

export async function insertSecret(tx: Queryable, secret: SealedSecret, at: Date): Promise<void> {
  const { merchantId, kind, name } = secret.place;
  await tx.query(insert, [merchantId, kind, name, secret.keyVersion, secret.sealed, at]);
}

/** Removes every secret of the kind for good. */
export async function removeSecrets(
  tx: Queryable,
  merchantId: string,
  kind: SecretKind,
): Promise<void> {
  await tx.query(remove, [merchantId, kind]);
}

/** Removes the one of this name for good. */
export async function removeSecret(tx: Queryable, place: SecretPlace): Promise<void> {
  await tx.query(removeNamed, [place.merchantId, place.kind, place.name]);
}

export async function countValidSigningSecrets(
  tx: Queryable,
  merchantId: string,
  at: Date,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countValid, [merchantId, at]);
  return row?.count ?? 0;
}

/** Lets the valid signing secrets, or the one named, end at `endAt`, unless they end sooner. */
export async function endSigningSecrets(
  tx: Queryable,
  input: { readonly merchantId: string; readonly name?: string; readonly endAt: Date },
): Promise<void> {
  await tx.query(end, [input.merchantId, input.name, input.endAt]);
}

/**
 * The secrets of these kinds, newest first; with `validAt` only those that have not ended by then.
 * Undefined where there is no such merchant.
 */
export async function readSecrets(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly kinds: readonly SecretKind[];
    readonly validAt?: Date;
  },
): Promise<readonly StoredSecret[] | undefined> {
  const { merchantId, kinds, validAt } = input;
  const rows = await db.query<SecretRow>(read, [merchantId, kinds, validAt]);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ kind, ...row }) => {
    if (kind === null) return [];
    return {
      place: { merchantId, kind, name: row.name },
      dataKey: { version: row.key_version, wrappedKey: row.wrapped_key },
      sealed: row.sealed,
      createdAt: row.created_at,
      ...present({ expiresAt: row.expires_at ?? undefined }),
    };
  });
}
