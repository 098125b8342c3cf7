import { invariant } from '../../domain/errors.ts';
import type { NotedPspEvent } from '../../recovery/psp-event-ports.ts';
import { currentDataKey } from '../admin/secrets.ts';
import type { Queryable, Statement } from '../database.ts';
import type { Sealer, SecretPlace } from '../sealing/sealer.ts';

const note: Statement = {
  name: 'note_psp_event',
  text: `
    insert into psp_events (merchant_id, psp, event_id, type, kind, outcome, invoice_id,
      psp_transaction_id, occurred_at, received_at, key_version, sealed_body)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (merchant_id, psp, event_id) do nothing
    returning 1`,
};

export async function noteEvent(
  deps: { readonly db: Queryable; readonly sealer: Sealer },
  event: NotedPspEvent,
): Promise<boolean> {
  const { merchantId, psp, eventId } = event;
  const body = event.rawBody === undefined ? undefined : await sealBody(deps, event, event.rawBody);
  const rows = await deps.db.query(note, [
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
