import { invariant } from '../../domain/errors.ts';
import type { NotedPspEvent } from '../../recovery/psp-event-ports.ts';
import { currentDataKey } from '../admin/secrets.ts';
import type { Queryable, Statement } from '../database.ts';
import type { Sealer, SecretPlace } from '../sealing/sealer.ts';

/** Of a dispute or a contradiction: kept for good. */
const noteForGood: Statement = {
  name: 'note_psp_event',
  text: `
    insert into psp_events (merchant_id, psp, event_id, type, kind, outcome, invoice_id,
      psp_transaction_id, occurred_at, received_at, key_version, sealed_body)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (merchant_id, psp, event_id) do nothing
    returning 1`,
};

const monthOfEvent = `date_trunc('month', $8::timestamptz at time zone 'UTC')`;

/**
 * In the table of the month in which it occurred, unless it comes so late that the table would have to wait for it, or
 * says that it is of a time to come.
 */
const noteInMonth: Statement = {
  name: 'note_psp_event_in_month',
  text: `
    insert into psp_event_notes (merchant_id, psp, event_id, month, type, kind, outcome, invoice_id,
      psp_transaction_id, occurred_at, received_at)
    values ($1, $2, $3,
      case when ($9::timestamptz at time zone 'UTC') < ${monthOfEvent} + interval '1 month 7 days'
             and $8::timestamptz < $9::timestamptz + interval '30 days'
           then ${monthOfEvent}::date else '-infinity' end,
      $4, $5, $6, $7, $10, $8, $9)
    on conflict (merchant_id, psp, event_id, month) do nothing
    returning 1`,
};

/** False where it was noted before. */
export async function noteEvent(
  deps: { readonly db: Queryable; readonly sealer: Sealer },
  event: NotedPspEvent,
): Promise<boolean> {
  const { merchantId, psp, eventId, kind, outcome } = event;
  if (kind === 'dispute' || outcome === 'contradiction') return keepForGood(deps, event);
  const rows = await deps.db.query(noteInMonth, [
    merchantId,
    psp,
    eventId,
    event.type,
    kind,
    outcome,
    event.invoiceId,
    event.occurredAt,
    event.receivedAt,
    event.pspTransactionId,
  ]);
  return rows.length > 0;
}

async function keepForGood(
  deps: { readonly db: Queryable; readonly sealer: Sealer },
  event: NotedPspEvent,
): Promise<boolean> {
  const { merchantId, psp, eventId } = event;
  const body = event.rawBody === undefined ? undefined : await sealBody(deps, event, event.rawBody);
  const rows = await deps.db.query(noteForGood, [
    merchantId,
    psp,
    eventId,
    event.type,
    event.kind,
    event.outcome,
    event.invoiceId,
    event.pspTransactionId,
    event.occurredAt,
    event.receivedAt,
    body?.keyVersion,
    body?.sealed,
  ]);
  return rows.length > 0;
}

async function sealBody(
  deps: { readonly db: Queryable; readonly sealer: Sealer },
  event: NotedPspEvent,
  rawBody: Uint8Array,
) {
  const dataKey = await currentDataKey(deps.db, event.merchantId);
  invariant(dataKey !== undefined, 'a merchant has a data key');
  const sealed = await deps.sealer.seal(placeOf(event), dataKey, rawBody);
  return { keyVersion: dataKey.version, sealed };
}

/** Where the body of an event belongs; it opens nowhere else. */
export function placeOf(event: Pick<NotedPspEvent, 'merchantId' | 'psp' | 'eventId'>): SecretPlace {
  const { merchantId, psp, eventId } = event;
  return { merchantId, kind: 'psp_event', name: `${psp}/${eventId}` };
}
