import type { EndedDebt, ToldOf } from '../../recovery/intake-ports.ts';
import { isPaymentDisputed } from '../cards/disputed.ts';
import type { Queryable, Statement } from '../database.ts';
import { isPaidByAnotherName } from './paid-by-another-name.ts';

/**
 * Open payments whose debt was paid or closed, or whose card is disputed, whichever of the two was told
 * first. Asked after the commit: of two batches beside each other, the later one to ask then sees what
 * both have written, also where the debt was joined to another one meanwhile.
 */
const find: Statement = {
  name: 'find_ended_elsewhere',
  text: `
    with open as materialized (
      select p.*, i.named
      from unnest($1::text[], $2::text[], $3::text[]) as i (merchant_id, invoice_id, named)
      cross join lateral (
        select coalesce(n.joined_to, n.invoice_id) as debt_id from payments n
        where n.merchant_id = i.merchant_id and n.invoice_id = i.invoice_id
        offset 0
      ) n
      cross join lateral (
        select p.* from payments p
        where p.merchant_id = i.merchant_id and p.invoice_id = n.debt_id
          and p.state in ('scheduled', 'attempting')
        offset 0
      ) p
    )
    select distinct merchant_id, invoice_id, paid, closed_because
    from (
      select p.merchant_id, p.invoice_id, ${isPaymentDisputed('p')} as disputed,
        (select c.reason from closed_invoices c
         where c.merchant_id = p.merchant_id and c.invoice_id = p.invoice_id) as closed_because,
        ${isPaidByAnotherName('p')} or exists (
          select from transactions t
          where t.merchant_id = p.merchant_id and t.invoice_id in (p.invoice_id, p.named)
            and t.success
          offset 0) as paid
      from open p
    ) e
    where paid or closed_because is not null or disputed`,
};

interface EndedRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly closed_because: string | null;
  readonly paid: boolean;
}

export async function findEnded(
  db: Queryable,
  keys: readonly ToldOf[],
): Promise<readonly EndedDebt[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<EndedRow>(find, [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.invoiceId),
    keys.map((key) => key.standsAt ?? key.invoiceId),
  ]);
  return rows.map((row) => {
    const key = { merchantId: row.merchant_id, invoiceId: row.invoice_id };
    if (row.paid) return { ...key, reason: 'recovered_elsewhere' };
    const { closed_because: detail } = row;
    return detail === null
      ? { ...key, reason: 'disputed' }
      : { ...key, reason: 'invoice_closed', detail };
  });
}
