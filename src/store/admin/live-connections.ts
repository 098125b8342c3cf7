import type { AccountMode, Psp } from '../../domain/psps.ts';
import type { Queryable, Statement } from '../database.ts';

/** Retired ones too, while charges are looked up through them. */
const find: Statement = {
  name: 'find_live_connection',
  text: `
    select merchant_id as "merchantId", psp, mode from psp_connections
    where mode not in ('sandbox', 'test') and destroyed_at is null
    order by merchant_id, psp, version limit 1`,
};

interface LiveConnection {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly mode: AccountMode;
}

/** A connection through which real money may move: one that is live, or not known to be of a test mode. */
export async function findLiveConnection(db: Queryable): Promise<LiveConnection | undefined> {
  const [row] = await db.query<LiveConnection>(find, []);
  return row;
}
