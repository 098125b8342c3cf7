import { addMs } from '../domain/clock.ts';
import { limits } from '../domain/limits.ts';
import type { Queryable, Statement } from './database.ts';
import { keyLockMs } from './idempotency-keys.ts';

const leased = (table: string): string => `
  update ${table} set lease_until = null where next_attempt_at <= $1 and lease_until > $1`;

/** What is leased is due; a key that is held was made within the time that it may be held for. */
const release: Statement = {
  name: 'release_claims',
  text: `
    with payment as (${leased('payments')}),
      charge as (${leased('psp_transactions')}),
      delivery as (${leased('deliveries')}),
      endpoint_delivery as (${leased('endpoint_deliveries')}),
      request as (${leased('requests')})
    delete from idempotency_keys where expires_at > $2 and status is null`,
};

/**
 * Gives back everything that an earlier process had taken and did not finish: due work under a
 * lease, idempotency keys of requests under way. For the start of a process that has the database to
 * itself, which then need not wait until those times have run out. Should the earlier one live after
 * all, the fences turn down what it still writes, as they do when its leases end.
 */
export async function releaseClaims(db: Queryable, now: Date): Promise<void> {
  await db.query(release, [now, addMs(now, limits.idempotencyKeyMs - keyLockMs)]);
}
