import type { InvoiceOf } from '../../recovery/api.ts';
import type { OtherNames } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { joinedInvoices } from '../debts/find-debt.ts';

const find: Statement = {
  name: 'find_recorded_charges',
  text: `
    select t.idempotency_key, t.psp_transaction_id from psp_transactions t
    where t.merchant_id = $1 and t.invoice_id = any ($2::text[])
      and t.state in ('succeeded', 'declined')`,
};

interface RecordedRow {
  readonly idempotency_key: string;
  readonly psp_transaction_id: string | null;
}

/** The other names of a debt, and what its charges that have ended are known by, under all of its names. */
export async function findOtherNames(db: Queryable, input: InvoiceOf): Promise<OtherNames> {
  const { merchantId, invoiceId } = input;
  const invoiceIds = await joinedInvoices(db, { merchantId, invoiceId });
  if (invoiceIds.length === 0) return { invoiceIds, recorded: new Set() };
  const rows = await db.query<RecordedRow>(find, [merchantId, [invoiceId, ...invoiceIds]]);
  const recorded = rows.flatMap((row) =>
    [row.idempotency_key, row.psp_transaction_id ?? []].flat(),
  );
  return { invoiceIds, recorded: new Set(recorded) };
}
