import type { Queryable, Statement } from '../database.ts';

/** The charge as the PSP has it, else as we have it: what a refund of the incident would be of. */
export const chargeOf = (of: string): string =>
  `coalesce(${of}theirs ->> 'psp_transaction_id', ${of}ours ->> 'psp_transaction_id')`;

/** Always in one order: two incidents of a charge may have different invoices, or none that is locked before. */
const lock: Statement = {
  name: 'lock_incidents_of_same_charge',
  text: `
    select i.incident_id = own.incident_id as is_own, i.state,
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

interface LockedRow {
  readonly is_own: boolean;
  readonly state: string;
  readonly is_left: boolean;
}

/**
 * Several incidents may tell of one charge, and its money is kept or given back once. Locks them, and says
 * whether another one's decision excludes this one.
 */
export async function isDecidedElsewhere(
  tx: Queryable,
  { merchantId, incidentId }: { readonly merchantId: string; readonly incidentId: string },
  decision: 'refund' | 'dismiss',
): Promise<boolean> {
  const rows = await tx.query<LockedRow>(lock, [merchantId, incidentId]);
  const others = rows.filter((row) => !row.is_own);
  if (decision === 'refund') {
    return others.some(
      ({ state, is_left }) => is_left || ['refunding', 'dismissed'].includes(state),
    );
  }
  // A dismissal that was cut off excludes each refund since, and is ended.
  if (rows.some((row) => row.is_own && row.is_left)) return false;
  return others.some(({ state }) => state === 'refunding' || state === 'refunded');
}
