import type { NewEvent } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { takersOf } from './takers-of.ts';

/**
 * As `record_outcomes` does for its batches: sequence numbers without gaps, and deliveries. All of it is parts under a
 * select, here and wherever a part writes: Citus takes no `insert … select` over them.
 */
const write: Statement = {
  name: 'write_events',
  text: `
    with input as (
      select e.*, count(*) over () as total
      from rows from (
        json_to_recordset($3::json) as (event_id text, type text, attempt_id text, is_late boolean, body text)
      ) with ordinality as e (event_id, type, attempt_id, is_late, body, position)
    ),
    counted as (
      insert into event_counters as c (merchant_id, last_sequence)
      select $1, count(*) from input having count(*) > 0
      on conflict (merchant_id) do update set last_sequence = c.last_sequence + excluded.last_sequence
      returning last_sequence
    ),
    written as (
      insert into events (merchant_id, event_id, sequence, type, invoice_id, attempt_id, is_late, body, created_at)
      select $1, e.event_id, c.last_sequence - e.total + e.position, e.type, $2, e.attempt_id,
             e.is_late, e.body, $4
      from input e cross join counted c
    ),
    queued as (
      insert into deliveries (merchant_id, event_id, next_attempt_at, created_at)
      select $1, event_id, $4::timestamptz, $4::timestamptz from input
    ),
    taken as materialized (
      select e.event_id, n.endpoint_id
      from (select $1::text as merchant_id, * from input) e cross join lateral ${takersOf('e')}
    ),
    sent_on as (
      insert into endpoint_deliveries (merchant_id, event_id, endpoint_id, next_attempt_at, created_at)
      select $1, event_id, endpoint_id, $4::timestamptz, $4::timestamptz from taken
    )
    select 1`,
};

/** Events of one invoice, or of none, in the transaction that records what they report. */
export async function writeEvents(
  tx: Queryable,
  input: {
    readonly merchantId: string;
    readonly invoiceId?: string;
    readonly events: readonly NewEvent[];
    readonly at: Date;
  },
): Promise<void> {
  if (input.events.length === 0) return;
  const events = input.events.map((event) => ({
    event_id: event.eventId,
    type: event.type,
    attempt_id: event.attemptId,
    is_late: event.isLate ?? false,
    body: event.body,
  }));
  const { merchantId, invoiceId, at } = input;
  await tx.query(write, [merchantId, invoiceId, JSON.stringify(events), at]);
}
