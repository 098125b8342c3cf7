import type { Page } from '../../recovery/api.ts';
import type {
  Incident,
  IncidentStore,
  ListIncidents,
} from '../../recovery/incidents/incident-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import { type IncidentRow, toIncident } from './incident-rows.ts';
import { chargeOf } from './lock-same-charge.ts';

const columns = `merchant_id, incident_id, kind, subject, invoice_id, psp, connection_version, charge,
  ours, theirs, detail, state, refund_id, failed_refunds, refund_asked_at,
  dismissal_begun_at, resolution, opened_at, resolved_at`;

const find: Statement = {
  name: 'find_incident',
  text: `select ${columns} from incidents where ($1::text is null or merchant_id = $1) and incident_id = $2`,
};

const findByCharge: Statement = {
  name: 'find_incidents_by_charge',
  text: `
    select ${columns} from incidents
    where merchant_id = $1 and psp = $2
      and ${chargeOf('')} = $3
    order by opened_at, incident_id`,
};

const list: Statement = {
  name: 'list_incidents',
  text: `
    select ${columns} from incidents
    where ($1::text[] is null or merchant_id = any($1))
      and ($2::text is null or invoice_id = $2)
      and ($3::text is null or state = $3 or ($3 = 'unresolved' and state in ('open', 'refunding')))
      and ($4::timestamptz is null or (opened_at, merchant_id, incident_id) < ($4, $5, $6))
    order by opened_at desc, merchant_id desc, incident_id desc
    limit $7`,
};

export async function findIncident(
  db: Queryable,
  { merchantId, incidentId }: { readonly merchantId?: string; readonly incidentId: string },
): Promise<Incident | undefined> {
  if (incidentId.includes('\0')) return undefined;
  const [row] = await db.query<IncidentRow>(find, [merchantId, incidentId]);
  return row && toIncident(row);
}

export async function findIncidentsByCharge(
  db: Queryable,
  { merchantId, psp, pspTransactionId }: Parameters<IncidentStore['findByCharge']>[0],
): Promise<readonly Incident[]> {
  const rows = await db.query<IncidentRow>(findByCharge, [merchantId, psp, pspTransactionId]);
  return rows.map(toIncident);
}

/** The newest first. @throws AppError invalid_request for a cursor of another list */
export async function listIncidents(db: Queryable, input: ListIncidents): Promise<Page<Incident>> {
  const { merchantIds, invoiceId, state, cursor, limit } = input;
  const values = [merchantIds, invoiceId, state, ...placeOf(cursor, 2), limit + 1];
  const rows = await db.query<IncidentRow>(list, values);
  return pageOf(rows, limit, {
    item: toIncident,
    keys: (row) => [row.opened_at.toISOString(), row.merchant_id, row.incident_id],
  });
}
