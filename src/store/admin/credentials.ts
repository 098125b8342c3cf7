import { type CredentialScope, credentialScopes } from '../../domain/access/scopes.ts';
import { hintOf, hintText } from '../../domain/key-text.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { FoundApiKey, FoundCredential, NewCredential } from '../../recovery/admin/ports.ts';
import type { CredentialView } from '../../recovery/operator-api.ts';
import type { Queryable, Statement } from '../database.ts';

/** Kinds of which only the hash is kept. */
export type HashedKind = 'recovery_api_key' | 'disputes_password';

const insert: Statement = {
  name: 'insert_credential',
  text: `
    insert into credentials (merchant_id, credential_id, kind, hash, prefix, last_four, created_at,
                             scopes, name, expires_at)
    values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, $9, $10)`,
};

const countValid: Statement = {
  name: 'count_valid_credentials',
  text: `
    select count(*)::int as count from credentials
    where merchant_id = $1 and kind = $2 and revoked_at is null
      and (expires_at is null or expires_at > $3)`,
};

/** What ends sooner stays as it is: a rotation neither prolongs nor revives. */
const endAll: Statement = {
  name: 'end_credentials',
  text: `
    update credentials set expires_at = $3
    where merchant_id = $1 and kind = $2 and revoked_at is null
      and (expires_at is null or expires_at > $3)
      and ($4::text is null or credential_id = $4)`,
};

const findValid: Statement = {
  name: 'find_valid_credential',
  text: `
    select scopes, name from credentials
    where merchant_id = $1 and kind = $2 and credential_id = $3 and revoked_at is null
      and (expires_at is null or expires_at > $4)`,
};

const revoke: Statement = {
  name: 'revoke_credential',
  text: `
    update credentials set revoked_at = $3
    where merchant_id = $1 and credential_id = $2 and revoked_at is null
      and (expires_at is null or expires_at > $3)
    returning credential_id`,
};

const list: Statement = {
  name: 'list_credentials',
  text: `
    select credential_id, kind, prefix, last_four, created_at, expires_at, revoked_at, last_used_at,
      scopes, name
    from credentials where merchant_id = $1`,
};

const findApiKey: Statement = {
  name: 'find_api_key',
  text: `
    select c.merchant_id, c.credential_id, c.expires_at, c.revoked_at, c.scopes,
      array(select p.psp from psp_connections p
            where p.merchant_id = c.merchant_id and p.state = 'active'
            order by p.psp collate "C") as psps
    from credentials c
    where c.hash = decode($1, 'hex') and c.kind = 'recovery_api_key'`,
};

const findPassword: Statement = {
  name: 'find_disputes_password',
  text: `
    select merchant_id, credential_id, expires_at, revoked_at, scopes
    from credentials
    where hash = decode($1, 'hex') and kind = 'disputes_password'`,
};

const noteUse: Statement = {
  name: 'note_credential_use',
  text: `
    update credentials set last_used_at = $3
    where merchant_id = $1 and credential_id = $2
      and (last_used_at is null or last_used_at <= $4)`,
};

interface CredentialRow {
  readonly credential_id: string;
  readonly kind: HashedKind;
  readonly prefix: string;
  readonly last_four: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly scopes: CredentialScope[];
  readonly name: string | null;
}

interface FoundRow {
  readonly merchant_id: string;
  readonly credential_id: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly scopes: CredentialScope[];
}

interface ApiKeyRow extends FoundRow {
  readonly psps: Psp[];
}

export async function insertCredential(
  tx: Queryable,
  input: { readonly merchantId: string; readonly credential: NewCredential; readonly hash: string },
): Promise<void> {
  const { credentialId, kind, text, createdAt, scopes, name, expiresAt } = input.credential;
  const { prefix, lastFour } = hintOf(text);
  await tx.query(insert, [
    input.merchantId,
    credentialId,
    kind,
    input.hash,
    prefix,
    lastFour,
    createdAt,
    scopes ?? credentialScopes,
    name,
    expiresAt,
  ]);
}

export async function countValidCredentials(
  tx: Queryable,
  input: { readonly merchantId: string; readonly kind: HashedKind; readonly at: Date },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countValid, [
    input.merchantId,
    input.kind,
    input.at,
  ]);
  return row?.count ?? 0;
}

/** What a valid credential was issued with. */
export async function findValidCredential(
  tx: Queryable,
  of: {
    readonly merchantId: string;
    readonly kind: HashedKind;
    readonly credentialId: string;
    readonly at: Date;
  },
): Promise<Pick<CredentialView, 'scopes' | 'name'> | undefined> {
  const values = [of.merchantId, of.kind, of.credentialId, of.at];
  const [row] = await tx.query<Pick<CredentialRow, 'scopes' | 'name'>>(findValid, values);
  return row && present({ scopes: row.scopes, name: row.name ?? undefined });
}

/** Lets every valid credential of the kind, or one of them, end at `endAt`, unless it ends sooner. */
export async function endCredentials(
  tx: Queryable,
  input: {
    readonly merchantId: string;
    readonly kind: HashedKind;
    readonly endAt: Date;
    readonly credentialId?: string;
  },
): Promise<void> {
  await tx.query(endAll, [input.merchantId, input.kind, input.endAt, input.credentialId]);
}

/** False where it is not there or has ended. */
export async function revokeHashed(
  tx: Queryable,
  input: { readonly merchantId: string; readonly credentialId: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(revoke, [input.merchantId, input.credentialId, input.at]);
  return rows.length > 0;
}

export async function listHashed(
  db: Queryable,
  merchantId: string,
): Promise<readonly CredentialView[]> {
  const rows = await db.query<CredentialRow>(list, [merchantId]);
  return rows.map((row) => ({
    credentialId: row.credential_id,
    kind: row.kind,
    hint: hintText({ prefix: row.prefix, lastFour: row.last_four }),
    createdAt: row.created_at,
    scopes: row.scopes,
    ...present({
      name: row.name ?? undefined,
      expiresAt: row.expires_at ?? undefined,
      revokedAt: row.revoked_at ?? undefined,
      lastUsedAt: row.last_used_at ?? undefined,
    }),
  }));
}

export async function findApiKeyByHash(
  db: Queryable,
  hash: string,
): Promise<FoundApiKey | undefined> {
  const [row] = await db.query<ApiKeyRow>(findApiKey, [hash]);
  return row && { ...toFound(row), psps: row.psps };
}

export async function findPasswordByHash(
  db: Queryable,
  hash: string,
): Promise<FoundCredential | undefined> {
  const [row] = await db.query<FoundRow>(findPassword, [hash]);
  return row && toFound(row);
}

function toFound(row: FoundRow): FoundCredential {
  return {
    merchantId: row.merchant_id,
    credentialId: row.credential_id,
    scopes: row.scopes,
    ...present({ expiresAt: row.expires_at ?? undefined, revokedAt: row.revoked_at ?? undefined }),
  };
}

export async function noteCredentialUse(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly credentialId: string;
    readonly at: Date;
    readonly atMostEveryMs: number;
  },
): Promise<void> {
  const notedBefore = new Date(input.at.getTime() - input.atMostEveryMs);
  await db.query(noteUse, [input.merchantId, input.credentialId, input.at, notedBefore]);
}
