import type { Queryable, Statement } from './database.ts';

/** Rows that are locked are in use by someone: another run takes them. */
const applied: Statement = {
  name: 'trim_requests',
  text: `
    delete from requests
    where (merchant_id, sequence) in (
      select merchant_id, sequence from requests
      where state <> 'accepted' and applied_at < $1
      limit $2
      for update skip locked
    )
    returning true`,
};

const tries: Statement = {
  name: 'trim_delivery_tries',
  text: `
    delete from delivery_tries
    where (merchant_id, event_id, number) in (
      select merchant_id, event_id, number from delivery_tries
      where sent_at < $1
      limit $2
      for update skip locked
    )
    returning true`,
};

/** Removes up to `limit` requests that were applied before `before`; how many. */
export async function trimRequests(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(applied, [before, limit])).length;
}

/** Removes up to `limit` lines of the log of webhook sends, sent before `before`; how many. */
export async function trimDeliveryTries(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  return (await db.query(tries, [before, limit])).length;
}
