import { addMs, minuteMs } from '../domain/clock.ts';
import { limits } from '../domain/limits.ts';
import type {
  IdempotencyBegin,
  IdempotencyKeyOf,
  IdempotencyStore,
} from '../recovery/idempotency.ts';
import type { Queryable, Statement } from './database.ts';

/**
 * An owner that has not answered by then is taken for dead. It is twice the time that a statement
 * may take; should the owner live after all, the receipt's own UUID keeps a second run harmless.
 */
export const keyLockMs = minuteMs;
/** A key can vanish between the two looks of one statement, so it is looked at again, not for ever. */
const maxLooks = 5;

/**
 * Takes the key where it is new, expired, or left by a dead owner under the same body; the rest of
 * the statement reads what is there otherwise. No row: another transaction came or went meanwhile.
 */
const begin: Statement = {
  name: 'begin_idempotency_key',
  text: `
    with taken as (
      insert into idempotency_keys as held
        (merchant_id, route, key, fingerprint, created_at, locked_until, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (merchant_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = null, body = null,
          created_at = excluded.created_at, locked_until = excluded.locked_until,
          expires_at = excluded.expires_at
      where held.expires_at <= excluded.created_at
         or (held.status is null and held.locked_until <= excluded.created_at
             and held.fingerprint = excluded.fingerprint)
      returning true
    )
    select true as taken, null::boolean as same, null::int as status, null::text as body from taken
    union all
    select false, fingerprint = $4, status, body
    from idempotency_keys
    where merchant_id = $1 and route = $2 and key = $3 and not exists (select from taken)`,
};

/** The first answer stands: a late owner cannot replace what was already given out. */
const complete: Statement = {
  name: 'complete_idempotency_key',
  text: `
    update idempotency_keys set status = $4, body = $5
    where merchant_id = $1 and route = $2 and key = $3 and status is null`,
};

const abandon: Statement = {
  name: 'abandon_idempotency_key',
  text: `
    delete from idempotency_keys
    where merchant_id = $1 and route = $2 and key = $3 and status is null`,
};

const purge: Statement = {
  name: 'purge_idempotency_keys',
  text: `
    delete from idempotency_keys
    where (merchant_id, route, key) in (
      select merchant_id, route, key from idempotency_keys
      where expires_at <= $1
      order by expires_at
      limit $2
      for update skip locked
    )
    returning true`,
};

interface HeldRow {
  readonly taken: boolean;
  readonly same: boolean | null;
  readonly status: number | null;
  readonly body: string | null;
}

/** Idempotency keys in the database: any process may take, replay or free a key of any other. */
export interface IdempotencyKeys extends IdempotencyStore {
  /** Removes up to `limit` keys that have expired by `at`; how many. For the background job. */
  purgeExpired(at: Date, limit: number): Promise<number>;
}

export function createIdempotencyKeys(deps: { readonly db: Queryable }): IdempotencyKeys {
  const { db } = deps;
  return {
    async begin(input) {
      const { fingerprint, at } = input;
      const until = [addMs(at, keyLockMs), addMs(at, limits.idempotencyKeyMs)];
      const values = [...keyOf(input), fingerprint, at, ...until];
      for (let look = 0; look < maxLooks; look += 1) {
        const [row] = await db.query<HeldRow>(begin, values);
        if (row !== undefined) return outcomeOf(row);
      }
      return { kind: 'in_flight' };
    },
    async complete(input) {
      await db.query(complete, [...keyOf(input), input.status, input.body]);
    },
    async abandon(input) {
      await db.query(abandon, keyOf(input));
    },
    async purgeExpired(at, limit) {
      const rows = await db.query(purge, [at, limit]);
      return rows.length;
    },
  };
}

function keyOf({ merchantId, route, key }: IdempotencyKeyOf): [string, string, string] {
  return [merchantId, route, key];
}

function outcomeOf({ taken, same, status, body }: HeldRow): IdempotencyBegin {
  if (taken) return { kind: 'new' };
  if (same !== true) return { kind: 'mismatch' };
  if (status === null || body === null) return { kind: 'in_flight' };
  return { kind: 'replay', status, body };
}
