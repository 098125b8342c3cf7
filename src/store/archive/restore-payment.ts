import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { findPlace } from './find-archived.ts';
import { findPaymentsOfPackedEvent, type PackedEvent } from './packed-ids.ts';
import { packedTables } from './packed-rows.ts';
import { packingBegins, packingEnds } from './packing.ts';
import { unpackedParts, unpackedRows, unpackedValue } from './unpacked-rows.ts';

const lock: Statement = {
  name: 'lock_archived_payment',
  text: `
    select 1 as is_archived from payments
    where merchant_id = $1 and invoice_id = $2 and archived_at is not null for update`,
};

const insertions: readonly Statement[] = packedTables.map((table) => ({
  name: `restore_${table}`,
  text: `insert into ${table} ${unpackedRows(table, '$1::jsonb')}`,
}));

const { payments, attempts, psp_transactions: charges } = unpackedParts('$1::jsonb');

const wholeColumns: readonly Statement[] = [
  {
    name: 'restore_charges',
    text: `
      update psp_transactions t
      set decline = w.decline, check_answer = w.check_answer, attempt_decision = w.attempt_decision
      from (${charges}) w
      where t.merchant_id = w.merchant_id and t.attempt_id = w.attempt_id and t.ordinal = w.ordinal
        and (t.decline is not null or t.attempt_number is not null)`,
  },
  {
    name: 'restore_attempts',
    text: `
      update attempts a
      set decision = w.decision, check_answer = w.check_answer, blocked_charges = w.blocked_charges
      from (${attempts}) w
      where a.merchant_id = w.merchant_id and a.attempt_id = w.attempt_id`,
  },
];

const restoreRow: Statement = {
  name: 'restore_payment',
  text: `
    update payments p
    set decision = w.decision, first_decline = w.first_decline, archived_at = null, rests_since = $2
    from (${payments}) w
    where p.merchant_id = w.merchant_id and p.invoice_id = w.invoice_id`,
};

const remove: Statement = {
  name: 'remove_archived_payment',
  text: 'delete from archived_payments where merchant_id = $1 and invoice_id = $2',
};

/**
 * Puts back what is packed of a payment, within the transaction that is to change it; whether there was something.
 * From then on it rests: without a change it goes into the archive again as long after as an ended payment does.
 */
export async function restorePayment(
  tx: Queryable,
  of: InvoiceOf & { readonly at: Date },
): Promise<boolean> {
  const key = [of.merchantId, of.invoiceId];
  const [held] = await tx.query(lock, key);
  if (held === undefined) return false;
  const { packed } = await findPlace(tx, of);
  if (packed === undefined) return false;
  const value = unpackedValue(of, packed);
  await tx.query(packingBegins, []);
  for (const statement of [...insertions, ...wholeColumns]) await tx.query(statement, [value]);
  await tx.query(restoreRow, [value, of.at]);
  await tx.query(remove, key);
  await tx.query(packingEnds, []);
  return true;
}

/** The same for the payment that an event tells of, where the archive has it with its delivery to the endpoint, if one is named. */
export async function restoreEvent(
  tx: Queryable,
  event: PackedEvent & { readonly at: Date },
): Promise<void> {
  const found = await findPaymentsOfPackedEvent(tx, event);
  for (const payment of found) await restorePayment(tx, { ...payment, at: event.at });
}
