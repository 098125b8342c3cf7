import { present } from '../../domain/present.ts';
import type {
  EventsRead,
  FollowEvents,
  FollowedEvent,
} from '../../recovery/reports/follow-events.ts';
import { archivedThrough } from '../archive/archived-through.ts';
import type { Queryable, Statement } from '../database.ts';

/** By the number itself, which is not in the order of its text. */
const after: Statement = {
  name: 'follow_events',
  text: `
    select e.sequence::text, e.event_id, e.type, e.invoice_id, e.created_at, e.body
    from events e
    where e.merchant_id = $1 and e.sequence > greatest($2::bigint, ${archivedThrough('$1')})
    order by e.sequence limit $3`,
};

const latest: Statement = {
  name: 'latest_event',
  text: `
    select greatest(coalesce(max(sequence), 0), ${archivedThrough('$1')})::text as sequence
    from events where merchant_id = $1`,
};

interface Row {
  readonly sequence: string;
  readonly event_id: string;
  readonly type: string;
  readonly invoice_id: string | null;
  readonly created_at: Date;
  readonly body: string;
}

/** Events after one of the merchant's log, or where its log ends. Deliveries are not touched. */
export async function followEvents(db: Queryable, input: FollowEvents): Promise<EventsRead> {
  const { merchantId, limit } = input;
  if (input.after === undefined) {
    const [row] = await db.query<{ sequence: string }>(latest, [merchantId]);
    return { items: [], cursor: row?.sequence ?? '0' };
  }
  const rows = await db.query<Row>(after, [merchantId, input.after, limit]);
  return { items: rows.map(toEvent), cursor: rows.at(-1)?.sequence ?? input.after };
}

function toEvent(row: Row): FollowedEvent {
  return {
    eventId: row.event_id,
    sequence: row.sequence,
    type: row.type,
    ...present({ invoiceId: row.invoice_id ?? undefined }),
    createdAt: row.created_at,
    payload: row.body,
  };
}
