import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { EventView, ListEvents, Page, RedeliverOutcome } from '../../recovery/api.ts';
import { archivedThrough } from '../archive/archived-through.ts';
import { restoreEvent } from '../archive/restore-payment.ts';
import type { Queryable, Statement } from '../database.ts';
import { cursorRefused } from '../page-cursor.ts';
import { type DeliveryRow, deliveryColumns, toDeliveryView } from './delivery-row.ts';

const list: Statement = {
  name: 'list_events',
  text: `
    select e.sequence::text, e.invoice_id, e.created_at, e.body, ${deliveryColumns}
    from events e join deliveries d using (merchant_id, event_id)
    where e.merchant_id = $1 and e.sequence > greatest($2::bigint, ${archivedThrough('$1')})
    order by e.sequence limit $3`,
};

interface EventRow extends DeliveryRow {
  readonly sequence: string;
  readonly invoice_id: string | null;
  readonly created_at: Date;
  readonly body: string;
}

/**
 * The event log in sequence order. The cursor is the last sequence number that was read: a reader
 * that keeps it misses nothing, since numbers are given without gaps and in commit order. It begins after what went
 * into the archive.
 */
export async function listEvents(db: Queryable, input: ListEvents): Promise<Page<EventView>> {
  if (input.cursor !== undefined && !/^\d{1,18}$/.test(input.cursor)) {
    throw cursorRefused();
  }
  const rows = await db.query<EventRow>(list, [
    input.merchantId,
    input.cursor ?? '0',
    input.limit + 1,
  ]);
  const items = rows.slice(0, input.limit).map(toEventView);
  const last = items.at(-1);
  if (rows.length <= input.limit || last === undefined) return { items };
  return { items, nextCursor: last.sequence.toString() };
}

function toEventView(row: EventRow): EventView {
  return {
    eventId: row.event_id,
    sequence: BigInt(row.sequence),
    type: row.type,
    ...present({ invoiceId: row.invoice_id ?? undefined }),
    createdAt: row.created_at,
    body: JSON.parse(row.body) as JsonObject,
    delivery: toDeliveryView(row),
  };
}

/** A replay begins a new redelivery window; a send under way just then no longer counts. */
const redeliverIn = (table: string, more = ''): Statement => ({
  name: `redeliver_event${more === '' ? '' : '_to_endpoint'}`,
  text: `
    update ${table}
    set state = 'pending', window_started_at = null, next_attempt_at = $3, delivered_at = null,
        lease_until = null, fence = fence + 1, failures = 0, set_aside_at = null,
        set_aside_reason = null
    where merchant_id = $1 and event_id = $2 ${more}
    returning 1`,
});

const redeliver = redeliverIn('deliveries');
const redeliverToEndpoint = redeliverIn('endpoint_deliveries', 'and endpoint_id = $4');

interface Redelivered {
  readonly merchantId: string;
  readonly eventId: string;
  /** A further endpoint; absent: the merchant's own webhook address. */
  readonly endpointId?: string;
  readonly at: Date;
}

/**
 * Within a transaction: an event of an archived payment is put back, with all of its payment, and then sent. One that is
 * in neither place was perhaps put back between the two looks, so the first place is asked again.
 */
export async function redeliverEvent(tx: Queryable, input: Redelivered): Promise<RedeliverOutcome> {
  if (await queueAgain(tx, input)) return { kind: 'queued' };
  await restoreEvent(tx, input);
  return { kind: (await queueAgain(tx, input)) ? 'queued' : 'not_found' };
}

async function queueAgain(
  tx: Queryable,
  { merchantId, eventId, endpointId, at }: Redelivered,
): Promise<boolean> {
  const key = [merchantId, eventId, at];
  const rows =
    endpointId === undefined
      ? await tx.query(redeliver, key)
      : await tx.query(redeliverToEndpoint, [...key, endpointId]);
  return rows.length > 0;
}
