import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';

const find: Statement = {
  name: 'find_debt',
  text: `
    select coalesce(p.joined_to, n.invoice_id) as invoice_id
    from (
      select coalesce((
        select d.invoice_id from debt_identities d
        where d.merchant_id = $1 and d.kind = 'invoice' and d.value = $2
      ), $2) as invoice_id
      -- A column, not an expression: behind row-level security that finds no index.
      offset 0
    ) n
    left join payments p on p.merchant_id = $1 and p.invoice_id = n.invoice_id`,
};

/** The id by which the payment of a debt goes, from any invoice id that it was reported under. */
export async function findDebt(db: Queryable, input: InvoiceOf): Promise<string> {
  const [row] = await db.query<{ invoice_id: string }>(find, [input.merchantId, input.invoiceId]);
  return row?.invoice_id ?? input.invoiceId;
}

/** The same question of the debt's payment: each id under which a debt was reported names it. */
export async function ofDebt<Input extends InvoiceOf>(db: Queryable, input: Input): Promise<Input> {
  return { ...input, invoiceId: await findDebt(db, input) };
}

/**
 * Does something to a debt. Where that was joined to another one meanwhile, it goes on no more, and the same is done to
 * the one that does.
 */
export async function onDebt<Result>(
  db: Queryable,
  named: InvoiceOf,
  work: (debt: InvoiceOf) => Promise<Result>,
): Promise<Result> {
  for (let debt = await ofDebt(db, named); ; ) {
    const result = await work(debt);
    const after = await ofDebt(db, named);
    if (after.invoiceId === debt.invoiceId) return result;
    debt = after;
  }
}

const others: Statement = {
  name: 'find_joined_invoices',
  text: `
    select d.value from (
      select $2::text as invoice_id
      union all
      select p.invoice_id from payments p where p.merchant_id = $1 and p.joined_to = $2
    ) n
    join debt_identities d on d.merchant_id = $1 and d.invoice_id = n.invoice_id
    where d.kind = 'invoice' and d.value <> d.invoice_id
    union
    select p.invoice_id from payments p where p.merchant_id = $1 and p.joined_to = $2
    order by 1`,
};

/** The other invoice ids that a debt was reported under. */
export async function joinedInvoices(db: Queryable, input: InvoiceOf): Promise<readonly string[]> {
  const rows = await db.query<{ value: string }>(others, [input.merchantId, input.invoiceId]);
  return rows.map((row) => row.value);
}
