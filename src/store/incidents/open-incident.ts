import { newId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { Random } from '../../domain/random.ts';
import { incidentEvent } from '../../recovery/incidents/incident-event.ts';
import type { NewIncident } from '../../recovery/incidents/incident-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { writeEvents } from '../engine/write-events.ts';
import { sideRow } from './incident-rows.ts';

/**
 * The payment is locked before all else, as wherever it is moved. Its holder keeps the fence: the
 * answer that it waits for is recorded; what it would charge next finds the payment frozen.
 */
export const freezePayment: Statement = {
  name: 'freeze_payment',
  text: `
    update payments p
    set frozen_at = coalesce(p.frozen_at, $3), next_attempt_at = null, lease_until = null,
        revision = p.revision + 1, updated_at = $3
    where p.merchant_id = $1 and p.invoice_id = $2
    returning p.custom,
      (select m.incident_events from merchants m where m.merchant_id = $1) as is_told`,
};

const isKnown: Statement = {
  name: 'find_incident_by_subject',
  text: `select 1 from incidents where merchant_id = $1 and kind = $2 and subject = $3`,
};

const insert: Statement = {
  name: 'open_incident',
  text: `
    insert into incidents (merchant_id, incident_id, kind, subject, invoice_id, psp,
      connection_version, charge, ours, theirs, detail, opened_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12)
    on conflict (merchant_id, kind, subject) do nothing
    returning incident_id`,
};

/** Opens an incident within a transaction: with it the invoice is frozen and the merchant told. */
export async function openIncident(
  deps: { readonly random: Random },
  tx: Queryable,
  input: NewIncident,
): Promise<'opened' | 'known'> {
  const { merchantId, invoiceId, kind, subject, at } = input;
  const known = await tx.query(isKnown, [merchantId, kind, subject]);
  if (known.length > 0) return 'known';
  const [payment] =
    invoiceId === undefined
      ? []
      : await tx.query<{ custom: JsonObject | null; is_told: boolean }>(freezePayment, [
          merchantId,
          invoiceId,
          at,
        ]);
  const incidentId = newId(deps.random, 'inc');
  const opened = await tx.query(insert, [
    merchantId,
    incidentId,
    kind,
    subject,
    invoiceId,
    input.psp,
    input.connectionVersion,
    input.charge,
    sideRow(input.ours),
    sideRow(input.theirs),
    input.detail,
    at,
  ]);
  // Another has opened it since it was looked for, and has frozen the invoice with it.
  if (opened.length === 0) return 'known';
  if (invoiceId !== undefined && payment?.is_told === true) {
    const event = incidentEvent(deps, { incident: input, incidentId, custom: payment.custom });
    await writeEvents(tx, { merchantId, invoiceId, events: [event], at });
  }
  return 'opened';
}
