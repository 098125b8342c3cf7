import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { decompress } from './compress.ts';
import { monthOf } from './packed-rows.ts';

const find: Statement = {
  name: 'find_archived_payment',
  text: `
    select a.packed from payments p
    join archived_payments a
      on a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id and a.month = ${monthOf('p')}
    where p.merchant_id = $1 and p.invoice_id = $2 and p.archived_at is not null`,
};

const ofEvent: Statement = {
  name: 'find_payments_of_archived_id',
  text: `
    select a.invoice_id from archived_payments a
    where a.merchant_id = $1 and a.ids @> array[hashtextextended($2, 0)]`,
};

/** What is packed of a payment, as text; undefined where it is not in the archive. */
export async function findPacked(db: Queryable, of: InvoiceOf): Promise<string | undefined> {
  const [row] = await db.query<{ packed: Buffer }>(find, [of.merchantId, of.invoiceId]);
  return row && decompress(row.packed);
}

/** The payments one of which perhaps has a packed event with this id: two ids may have one number. */
export async function findPaymentsOfPackedEvent(
  db: Queryable,
  { merchantId, eventId }: { readonly merchantId: string; readonly eventId: string },
): Promise<readonly InvoiceOf[]> {
  const rows = await db.query<{ invoice_id: string }>(ofEvent, [merchantId, eventId]);
  return rows.map((row) => ({ merchantId, invoiceId: row.invoice_id }));
}
