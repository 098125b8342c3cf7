import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import { incidentEvent } from '../../recovery/incidents/incident-event.ts';
import type { NewIncident } from '../../recovery/incidents/incident-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { writeEvents } from '../engine/write-events.ts';
import { freezeDebt } from './freeze-debt.ts';
import { sideRow } from './incident-rows.ts';

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
  const payment =
    invoiceId === undefined ? undefined : await freezeDebt(tx, { merchantId, invoiceId, at });
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
  if (invoiceId !== undefined && payment?.isTold === true) {
    const event = incidentEvent(deps, { incident: input, incidentId, custom: payment.custom });
    await writeEvents(tx, { merchantId, invoiceId, events: [event], at });
  }
  return 'opened';
}
