import { type Clock, secondMs } from '../../domain/clock.ts';
import type { Away, FindAway } from '../../recovery/admin/away.ts';
import { TtlCache } from '../../recovery/admin/ttl-cache.ts';
import type { Queryable, Statement } from '../database.ts';
import { forAll } from '../pool/for-all.ts';

/** A move waits for longer than that before it relies on every process having heard of it. */
const ttlMs = secondMs;
const all = 'all';

const list: Statement = {
  name: 'list_away_merchants',
  text: `
    select merchant_id, state, recovery_url, disputes_url from merchant_moves
    where state <> 'draining'`,
};

interface Row {
  readonly merchant_id: string;
  readonly state: 'closing' | 'fenced' | 'moved' | 'cleared';
  readonly recovery_url: string;
  readonly disputes_url: string;
}

/** Which merchants are away: one statement a second for all of a process's requests, and none without. */
export function createFindAway(deps: { readonly db: Queryable; readonly clock: Clock }): FindAway {
  const db = forAll(deps.db);
  const cache = new TtlCache<ReadonlyMap<string, Away>>(
    {
      clock: deps.clock,
      load: async () => {
        const rows = await db.query<Row>(list, []);
        return new Map(rows.map((row) => [row.merchant_id, toAway(row)]));
      },
    },
    { ttlMs, max: 1 },
  );
  return async (merchantId) => (await cache.get(all))?.get(merchantId);
}

function toAway({ state, recovery_url: recoveryUrl, disputes_url: disputesUrl }: Row): Away {
  if (state === 'closing' || state === 'fenced') return { kind: 'closed' };
  return { kind: 'moved', recoveryUrl, disputesUrl };
}
