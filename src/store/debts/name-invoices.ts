import type { Queryable, Statement } from '../database.ts';
import type { OtherName } from './move-history.ts';

/** Reports of failures have claimed their names; a success claims its invoice's where it has a debt. */
const name: Statement = {
  name: 'name_debt_invoices',
  text: `
    insert into debt_identities (merchant_id, kind, value, invoice_id, channel, created_at)
    select distinct on (1, 3) i.merchant_id, 'invoice', i.reported_as, i.invoice_id, 'merchant',
      $4::timestamptz
    from unnest($1::text[], $2::text[], $3::text[]) as i (merchant_id, invoice_id, reported_as)
    order by 1, 3
    on conflict (merchant_id, kind, value) do nothing`,
};

export async function nameInvoices(
  db: Queryable,
  names: readonly OtherName[],
  at: Date,
): Promise<void> {
  const others = names.filter((item) => item.reportedAs !== item.invoiceId);
  if (others.length === 0) return;
  await db.query(name, [
    others.map((item) => item.merchantId),
    others.map((item) => item.invoiceId),
    others.map((item) => item.reportedAs),
    at,
  ]);
}
