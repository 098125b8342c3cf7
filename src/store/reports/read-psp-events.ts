import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Page } from '../../recovery/api.ts';
import type { PspEventView } from '../../recovery/psp-event-ports.ts';
import type { ListPspEvents } from '../../recovery/reports/operator-views.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import { notedEvents } from '../psp-events/noted-events.ts';

const list: Statement = {
  name: 'list_operator_psp_events',
  text: `
    ${notedEvents(
      'psp, event_id, type, kind, outcome, invoice_id, psp_transaction_id, occurred_at, received_at',
      `merchant_id = $1 and ($2::text is null or psp = $2)
      and received_at <= coalesce($3, 'infinity'::timestamptz)
      and ($3::timestamptz is null or (received_at, psp, event_id) < ($3, $4, $5))`,
    )}
    order by received_at desc, psp desc, event_id desc
    limit $6`,
};

interface PspEventRow {
  readonly psp: Psp;
  readonly event_id: string;
  readonly type: string;
  readonly kind: PspEventView['kind'];
  readonly outcome: PspEventView['outcome'];
  readonly invoice_id: string | null;
  readonly psp_transaction_id: string | null;
  readonly occurred_at: Date;
  readonly received_at: Date;
}

/** Newest first, never with a body. @throws AppError invalid_request for a cursor of another list */
export async function readPspEvents(
  db: Queryable,
  input: ListPspEvents,
): Promise<Page<PspEventView>> {
  const values = [input.merchantId, input.psp, ...placeOf(input.cursor, 2), input.limit + 1];
  const rows = await db.query<PspEventRow>(list, values);
  return pageOf(rows, input.limit, {
    item: toView,
    keys: (row) => [row.received_at.toISOString(), row.psp, row.event_id],
  });
}

function toView(row: PspEventRow): PspEventView {
  return present({
    psp: row.psp,
    eventId: row.event_id,
    type: row.type,
    kind: row.kind,
    outcome: row.outcome,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    invoiceId: row.invoice_id ?? undefined,
    pspTransactionId: row.psp_transaction_id ?? undefined,
  });
}
