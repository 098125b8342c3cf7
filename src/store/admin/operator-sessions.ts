import type { Queryable, Statement } from '../database.ts';

/** What has expired goes with the next sign-in: there are never more rows than sign-ins of a day. */
const open: Statement = {
  name: 'open_operator_session',
  text: `
    with expired as (delete from operator_sessions where expires_at <= $2)
    insert into operator_sessions (value_hash, created_at, expires_at) values ($1, $2, $3)`,
};

const find: Statement = {
  name: 'find_operator_session',
  text: 'select expires_at from operator_sessions where value_hash = $1 and expires_at > $2',
};

const end: Statement = {
  name: 'end_operator_session',
  text: 'delete from operator_sessions where value_hash = $1',
};

/** Keeps a new session, by the hash of what the browser holds. */
export async function openOperatorSession(
  db: Queryable,
  session: { readonly valueHash: Uint8Array; readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  await db.query(open, [session.valueHash, session.at, session.expiresAt]);
}

/** When the session ends; undefined for one that has ended or never was. */
export async function findOperatorSession(
  db: Queryable,
  input: { readonly valueHash: Uint8Array; readonly at: Date },
): Promise<Date | undefined> {
  const [row] = await db.query<{ expires_at: Date }>(find, [input.valueHash, input.at]);
  return row?.expires_at;
}

export async function endOperatorSession(db: Queryable, valueHash: Uint8Array): Promise<void> {
  await db.query(end, [valueHash]);
}
