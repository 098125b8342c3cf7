import type { OperatorRole } from '../../domain/access/operators.ts';
import { present } from '../../domain/present.ts';
import type { SignedIn } from '../../recovery/people/people-api.ts';
import type { Queryable, Statement } from '../database.ts';

/** What has expired goes with the next sign-in: there are never more rows than sign-ins of a day. */
const open: Statement = {
  name: 'open_operator_session',
  text: `
    with expired as (delete from operator_sessions where expires_at <= $2)
    insert into operator_sessions (value_hash, created_at, expires_at, operator_id, token_id)
    values ($1, $2, $3, $4, $5)`,
};

/**
 * A session is no more than what let it in: it ends with the personal token that it was given for. One that is not
 * begun yet was given by a clock that ran ahead, and would last for longer by as much.
 */
const find: Statement = {
  name: 'find_operator_session',
  text: `
    select s.operator_id, coalesce(o.role, 'administrator') as role, o.merchants
    from operator_sessions s
    left join operators o on o.operator_id = s.operator_id and o.removed_at is null
    left join operator_tokens t
      on t.token_id = s.token_id and t.revoked_at is null and t.expires_at > $2
    where s.value_hash = $1 and s.expires_at > $2 and s.created_at <= $3
      and (s.operator_id is null or o.operator_id is not null)
      and (s.token_id is null or t.token_id is not null)`,
};

const end: Statement = {
  name: 'end_operator_session',
  text: 'delete from operator_sessions where value_hash = $1',
};

interface SessionRow {
  readonly operator_id: string | null;
  readonly role: OperatorRole;
  readonly merchants: readonly string[] | null;
}

/** Keeps a new session, by the hash of what the browser holds. */
export async function openOperatorSession(
  db: Queryable,
  session: {
    readonly valueHash: Uint8Array;
    readonly at: Date;
    readonly expiresAt: Date;
    /** Absent: of the one token. */
    readonly operatorId?: string;
    /** Absent: of no personal token. */
    readonly tokenId?: string;
  },
): Promise<void> {
  const { valueHash, at, expiresAt, operatorId, tokenId } = session;
  await db.query(open, [valueHash, at, expiresAt, operatorId, tokenId]);
}

/** Whose session it is; undefined for one that has ended or never was. */
export async function findOperatorSession(
  db: Queryable,
  input: { readonly valueHash: Uint8Array; readonly at: Date; readonly begunBy: Date },
): Promise<SignedIn | undefined> {
  const [row] = await db.query<SessionRow>(find, [input.valueHash, input.at, input.begunBy]);
  if (row === undefined) return undefined;
  return present({
    operatorId: row.operator_id ?? undefined,
    role: row.role,
    merchants: row.merchants ?? undefined,
  });
}

export async function endOperatorSession(db: Queryable, valueHash: Uint8Array): Promise<void> {
  await db.query(end, [valueHash]);
}
