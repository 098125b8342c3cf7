import type { Page } from '../../recovery/api.ts';
import type {
  Incident,
  IncidentStore,
  ListIncidents,
} from '../../recovery/incidents/incident-ports.ts';
import type { AccountedIncident } from '../../recovery/reconciliation/close-accounted.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessLeft } from '../moving/unless-moved.ts';
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

const goesOn: Statement = {
  name: 'find_debt_that_goes_on',
  text: 'select coalesce(joined_to, invoice_id) as id from payments where merchant_id = $1 and invoice_id = $2',
};

const findByCharge: Statement = {
  name: 'find_incidents_by_charge',
  text: `
    select ${columns} from incidents
    where merchant_id = $1 and psp = $2
      and ${chargeOf('')} = $3
    order by opened_at, incident_id`,
};

/**
 * The same charge in the same state and amount: what differs is still to be decided, and one that a person is dismissing
 * is theirs. Rows of merchants that moved away are copies, which may not be written.
 */
const accounted: Statement = {
  name: 'find_accounted_incidents',
  text: `
    select ${columns}, accounted_by from (
      select i.*, (
        select t.invoice_id from psp_transactions t
        where t.merchant_id = i.merchant_id and t.psp = i.psp
          and t.psp_transaction_id = i.theirs ->> 'psp_transaction_id'
          and t.state = i.theirs ->> 'state' and not t.contradicts
          and t.amount_minor = (i.theirs ->> 'amount_minor')::bigint and t.currency = i.theirs ->> 'currency'
        limit 1) as accounted_by
      from incidents i
      where i.state = 'open' and i.kind = 'missing_here' and i.invoice_id is null
        and i.failed_refunds = 0 and i.dismissal_begun_at is null
        and (i.merchant_id, i.incident_id) > ($1, $2)
        ${unlessLeft('i')}
    ) found
    where accounted_by is not null
    order by merchant_id, incident_id limit $3`,
};

/** Incidents of one page of them. */
const accountedPage = 200;

/** Those that wait for a person are this cell's alone: of a merchant that has moved nobody can resolve one here. */
const list: Statement = {
  name: 'list_incidents',
  text: `
    select ${columns} from incidents i
    where ($1::text[] is null or merchant_id = any($1))
      and ($2::text is null or invoice_id = $2 or invoice_id in (
        select j.invoice_id from payments j where j.merchant_id = i.merchant_id and j.joined_to = $2))
      and ($3::text is null or state = $3 or ($3 = 'unresolved' and state in ('open', 'refunding')))
      and ($3::text is null or state not in ('open', 'refunding') or true ${unlessLeft('i')})
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

export async function findGoesOn(
  db: Queryable,
  { merchantId, invoiceId }: Parameters<IncidentStore['findGoesOn']>[0],
): Promise<string> {
  const [row] = await db.query<{ id: string }>(goesOn, [merchantId, invoiceId]);
  return row?.id ?? invoiceId;
}

export async function findIncidentsByCharge(
  db: Queryable,
  { merchantId, psp, pspTransactionId }: Parameters<IncidentStore['findByCharge']>[0],
): Promise<readonly Incident[]> {
  const rows = await db.query<IncidentRow>(findByCharge, [merchantId, psp, pspTransactionId]);
  return rows.map(toIncident);
}

/** Findings of charges that the record holds by now, with the debt that accounts for each. */
export async function findAccountedIncidents(
  db: Queryable,
  after: Pick<Incident, 'merchantId' | 'incidentId'> | undefined,
): Promise<readonly AccountedIncident[]> {
  const { merchantId = '', incidentId = '' } = after ?? {};
  const values = [merchantId, incidentId, accountedPage];
  const rows = await db.query<IncidentRow & { readonly accounted_by: string }>(accounted, values);
  return rows.map((row) => ({ incident: toIncident(row), invoiceId: row.accounted_by }));
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
