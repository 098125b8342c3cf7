import type { OperatorRole } from '../../domain/access/operators.ts';
import { present } from '../../domain/present.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import type { OperatorTokenView, SignedIn } from '../../recovery/people/people-api.ts';
import type { PeopleStore } from '../../recovery/people/people-store.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Queryable, Statement } from '../database.ts';

const list: Statement = {
  name: 'list_operator_tokens',
  text: `
    select token_id, operator_id, hint, created_at, expires_at, revoked_at, last_used_at
    from operator_tokens where operator_id = $1 order by created_at desc, token_id limit 200`,
};

const lock: Statement = {
  name: 'lock_operator_of_token',
  text: `
    select operator_id from operators where operator_id = $1 and removed_at is null for update`,
};

const countValid: Statement = {
  name: 'count_valid_operator_tokens',
  text: `
    select count(*)::integer as count from operator_tokens
    where operator_id = $1 and revoked_at is null and expires_at > $2`,
};

const insert: Statement = {
  name: 'insert_operator_token',
  text: `
    insert into operator_tokens (token_id, operator_id, hash, hint, created_at, expires_at)
    values ($1, $2, decode($3, 'hex'), $4, $5, $6)`,
};

const revoke: Statement = {
  name: 'revoke_operator_token',
  text: `
    update operator_tokens set revoked_at = $3
    where operator_id = $1 and token_id = $2 and revoked_at is null
    returning token_id`,
};

/** One row is enough to let somebody in; a use is written once in a while and costs nobody else. */
const use: Statement = {
  name: 'use_operator_token',
  text: `
    with found as (
      select t.token_id, t.last_used_at, o.operator_id, o.role, o.merchants
      from operator_tokens t
      join operators o on o.operator_id = t.operator_id and o.removed_at is null
      where t.hash = decode($1, 'hex') and t.revoked_at is null and t.expires_at > $2
    ), noted as (
      update operator_tokens t set last_used_at = $2
      from found f
      where t.token_id = f.token_id
        and (f.last_used_at is null
             or f.last_used_at < $2::timestamptz - make_interval(secs => $3::double precision))
    )
    select token_id, operator_id, role, merchants from found`,
};

interface TokenRow {
  readonly token_id: string;
  readonly operator_id: string;
  readonly hint: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

interface HolderRow {
  readonly operator_id: string;
  readonly role: OperatorRole;
  readonly merchants: readonly string[] | null;
}

export async function listTokens(
  db: Queryable,
  operatorId: string,
): Promise<readonly OperatorTokenView[]> {
  const rows = await db.query<TokenRow>(list, [operatorId]);
  return rows.map((row) =>
    present({
      tokenId: row.token_id,
      operatorId: row.operator_id,
      hint: row.hint,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at ?? undefined,
      lastUsedAt: row.last_used_at ?? undefined,
    }),
  );
}

export async function addToken(
  tx: Queryable,
  token: Parameters<PeopleStore['addToken']>[0],
): Promise<'added' | 'no_operator' | 'too_many'> {
  const { tokenId, operatorId, hash, hint, createdAt, expiresAt, maxValid, at } = token;
  const locked = await tx.query(lock, [operatorId]);
  if (locked.length === 0) return 'no_operator';
  const [valid] = await tx.query<{ count: number }>(countValid, [operatorId, createdAt]);
  if (valid !== undefined && valid.count >= maxValid) return 'too_many';
  await tx.query(insert, [tokenId, operatorId, hash, hint, createdAt, expiresAt]);
  const detail = { operator_id: operatorId, token_id: tokenId };
  const after = { expires_at: expiresAt.toISOString() };
  await appendAudit(tx, allMerchants, { action: 'operator.token_issued', detail, after, at });
  return 'added';
}

export async function revokeToken(
  tx: Queryable,
  input: Parameters<PeopleStore['revokeToken']>[0],
): Promise<boolean> {
  const { operatorId, tokenId, revokedAt, at } = input;
  const revoked = await tx.query(revoke, [operatorId, tokenId, revokedAt]);
  if (revoked.length === 0) return false;
  const detail = { operator_id: operatorId, token_id: tokenId };
  await appendAudit(tx, allMerchants, { action: 'operator.token_revoked', detail, at });
  return true;
}

export async function useToken(
  db: Queryable,
  input: Parameters<PeopleStore['useToken']>[0],
): Promise<SignedIn | undefined> {
  const values = [input.hash, input.at, input.atMostEveryMs / 1_000];
  const [row] = await db.query<HolderRow & Pick<TokenRow, 'token_id'>>(use, values);
  return row && { ...toSignedIn(row), tokenId: row.token_id };
}

export function toSignedIn(row: HolderRow): SignedIn {
  const { operator_id: operatorId, role, merchants } = row;
  return { operatorId, role, ...(merchants !== null && { merchants }) };
}
