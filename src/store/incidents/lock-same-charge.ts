import { type DecidedIncident, excludedBy } from '../../recovery/incidents/excluded-by.ts';
import type { Exclusion } from '../../recovery/incidents/incident-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import type { IncidentRow } from './incident-rows.ts';

/** The charge as the PSP has it, else as we have it: what a refund of the incident would be of. */
export const chargeOf = (of: string): string =>
  `coalesce(${of}theirs ->> 'psp_transaction_id', ${of}ours ->> 'psp_transaction_id')`;

/** Always in one order: two incidents of a charge may have different invoices, or none that is locked before. */
const lock: Statement = {
  name: 'lock_incidents_of_same_charge',
  text: `
    select i.incident_id = own.incident_id as is_own, i.incident_id, i.state,
           i.dismissal_begun_at is not null as is_left
    from incidents own
    join incidents i
      on i.merchant_id = own.merchant_id and i.psp = own.psp
      and ${chargeOf('i.')} = ${chargeOf('own.')}
    where own.merchant_id = $1 and own.incident_id = $2
      and own.theirs ->> 'state' = 'succeeded' and i.theirs ->> 'state' = 'succeeded'
    order by i.incident_id
    for update of i`,
};

type LockedRow = Pick<IncidentRow, 'incident_id' | 'state'> & {
  readonly is_own: boolean;
  readonly is_left: boolean;
};

/**
 * Several incidents may tell of one charge, and its money is kept or given back once. Locks them, and says
 * which other one's decision excludes this one.
 */
export async function decidedElsewhere(
  tx: Queryable,
  { merchantId, incidentId }: { readonly merchantId: string; readonly incidentId: string },
  decision: 'refund' | 'dismiss',
): Promise<Exclusion | undefined> {
  const rows = await tx.query<LockedRow>(lock, [merchantId, incidentId]);
  const decided = (row: LockedRow): DecidedIncident => ({
    incidentId: row.incident_id,
    state: row.state,
    isLeft: row.is_left,
  });
  const own = rows.find((row) => row.is_own);
  if (own === undefined) return undefined;
  const others = rows.filter((row) => !row.is_own).map(decided);
  return excludedBy(decision, { own: decided(own), others });
}
