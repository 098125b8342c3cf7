import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { decompress } from './compress.ts';
import { monthOf } from './packed-rows.ts';

/** The archive's tables are asked for packed payments alone, and each only its own month's. */
const find: Statement = {
  name: 'find_archived_payment',
  text: `
    select p.archived_at, p.rests_since,
           case when p.archived_at is not null then (
             select a.packed from archived_payments a
             where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
               and a.month = ${monthOf('p')}) end as packed
    from payments p where p.merchant_id = $1 and p.invoice_id = $2`,
};

interface PlaceRow {
  readonly archived_at: Date | null;
  readonly rests_since: Date | null;
  readonly packed: Buffer | null;
}

/** Where the rows of a payment are that the archive packs. */
export interface Place {
  /** Another one whenever they have been packed or put back since. */
  readonly version: string;
  /** As text; undefined where they are not in the archive. */
  readonly packed: string | undefined;
}

/** Of a payment that the archive has never come to, and of none. */
export const neverPacked: Place = { version: 'never', packed: undefined };

export async function findPlace(db: Queryable, of: InvoiceOf): Promise<Place> {
  const [row] = await db.query<PlaceRow>(find, [of.merchantId, of.invoiceId]);
  if (row === undefined || (row.archived_at === null && row.rests_since === null)) {
    return neverPacked;
  }
  const version = [row.archived_at, row.rests_since].map((at) => at?.getTime() ?? 'never').join();
  return { version, packed: row.packed === null ? undefined : decompress(row.packed) };
}
