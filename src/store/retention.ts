import type { Queryable, Statement } from './database.ts';
import { unlessMoved } from './moving/unless-moved.ts';

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

const endpointTries: Statement = {
  name: 'trim_endpoint_delivery_tries',
  text: `
    delete from endpoint_delivery_tries
    where (merchant_id, event_id, endpoint_id, number) in (
      select merchant_id, event_id, endpoint_id, number from endpoint_delivery_tries
      where sent_at < $1
      limit $2
      for update skip locked
    )
    returning true`,
};

/** Of the last send, which stands on the delivery and tells of it for good, what a merchant's server said. */
const answersOf = (table: string, key: string): Statement => ({
  name: `trim_answers_of_${table}`,
  text: `
    update ${table} set last_answer = null
    where (${key}) in (
      select ${key} from ${table} d
      where last_answer is not null and last_sent_at < $1 ${unlessMoved('d')}
      limit $2
      for update skip locked
    )
    returning true`,
});

/** What goes with the log of sends, in this order. */
const ofSends = [
  tries,
  endpointTries,
  answersOf('deliveries', 'merchant_id, event_id'),
  answersOf('endpoint_deliveries', 'merchant_id, event_id, endpoint_id'),
];

/** Disputes last longer than any history, and a contradiction stays until a person has seen to it. */
const pspEvents: Statement = {
  name: 'trim_psp_events',
  text: `
    delete from psp_events
    where (merchant_id, psp, event_id) in (
      select merchant_id, psp, event_id from psp_events
      where received_at < $1 and kind <> 'dispute' and outcome <> 'contradiction'
      limit $2
      for update skip locked
    )
    returning true`,
};

/** Not those in the tables of months, which are dropped whole. */
const pspEventNotes: Statement = {
  name: 'trim_psp_event_notes',
  text: `
    delete from psp_event_notes_rest
    where (merchant_id, psp, event_id, month) in (
      select merchant_id, psp, event_id, month from psp_event_notes_rest
      where received_at < $1
      limit $2
      for update skip locked
    )
    returning true`,
};

/** Removes up to `limit` requests that were applied before `before`; how many. */
export async function trimRequests(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(applied, [before, limit])).length;
}

/**
 * Removes up to `limit` lines of the log of webhook sends, sent before `before`, and answers to last sends of then;
 * how many.
 */
export async function trimDeliveryTries(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  let trimmed = 0;
  for (const statement of ofSends) {
    if (trimmed < limit) trimmed += (await db.query(statement, [before, limit - trimmed])).length;
  }
  return trimmed;
}

/** Removes up to `limit` notes of PSPs' events that came before `before` and are in no month's table; how many. */
export async function trimPspEvents(db: Queryable, before: Date, limit: number): Promise<number> {
  const trimmed = (await db.query(pspEvents, [before, limit])).length;
  if (trimmed === limit) return trimmed;
  return trimmed + (await db.query(pspEventNotes, [before, limit - trimmed])).length;
}
