import { present } from '../../domain/present.ts';
import type {
  PaidDebt,
  Reconciliation,
  ReconciliationStore,
} from '../../recovery/reconciliation/reconciliation-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * By every name of a debt: the charge itself, and the invoice that it paid, under its id there or as it was
 * reported. A debt that was joined to another one answers by that one.
 */
const debts: Statement = {
  name: 'find_paid_debts',
  text: `
    with listed as (
      select * from json_to_recordset($3::json) as l (
        "pspTransactionId" text, "pspInvoiceId" text)
    ),
    names as (
      select "pspTransactionId" as charge, 'charge' as kind, $2 || ':' || "pspTransactionId" as value
      from listed
      union all
      select "pspTransactionId", 'psp_invoice', $2 || ':' || "pspInvoiceId" from listed
      where "pspInvoiceId" is not null
      union all
      select "pspTransactionId", 'invoice', "pspInvoiceId" from listed
      where "pspInvoiceId" is not null
    ),
    named as (
      select distinct n.charge, d.invoice_id as reported_as, coalesce(p.joined_to, d.invoice_id) as invoice_id
      from names n
      cross join lateral (
        select * from debt_identities d
        where d.merchant_id = $1 and d.kind = n.kind and d.value = n.value
        offset 0
      ) d
      join payments p on p.merchant_id = $1 and p.invoice_id = d.invoice_id
    )
    select n.charge, p.invoice_id, (
             select t.idempotency_key from psp_transactions t
             where t.merchant_id = $1 and t.invoice_id = p.invoice_id
               and t.state = 'succeeded' and not t.contradicts
           ) as own_success,
           exists (
             select from transactions r
             where r.merchant_id = $1 and r.invoice_id in (n.invoice_id, n.reported_as)
               and r.psp_transaction_id = n.charge and r.success
           ) or p.stop_reason is not distinct from 'recovered_elsewhere' and not exists (
             select from psp_transactions t
             where t.merchant_id = $1 and t.invoice_id = p.invoice_id and t.state = 'succeeded'
           ) as is_known
    from named n
    join payments p on p.merchant_id = $1 and p.invoice_id = n.invoice_id`,
};

interface DebtRow {
  readonly charge: string;
  readonly invoice_id: string;
  readonly own_success: string | null;
  readonly is_known: boolean;
}

export async function findPaidDebts(
  db: Queryable,
  run: Reconciliation,
  charges: Parameters<ReconciliationStore['findPaidDebts']>[1],
): Promise<readonly PaidDebt[]> {
  const values = [run.merchantId, run.psp, JSON.stringify(charges)];
  const rows = await db.query<DebtRow>(debts, values);
  return rows.map((row) => ({
    pspTransactionId: row.charge,
    invoiceId: row.invoice_id,
    isKnown: row.is_known,
    ...present({ ownSuccess: row.own_success ?? undefined }),
  }));
}

const customers: Statement = {
  name: 'find_known_customers',
  text: `
    select c.id from unnest($2::text[]) as c (id)
    where exists (
      select from payment_methods m where m.merchant_id = $1 and m.psp_customer_id = c.id)`,
};

/** Of these customers at the PSP those whose payments were ever reported here. */
export async function findKnownCustomers(
  db: Queryable,
  { merchantId }: Reconciliation,
  pspCustomerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(customers, [
    merchantId,
    [...new Set(pspCustomerIds)],
  ]);
  return new Set(rows.map((row) => row.id));
}
