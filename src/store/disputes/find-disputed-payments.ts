import { isPaymentDisputed } from '../cards/disputed.ts';
import type { Queryable, Statement } from '../database.ts';

/** Open payments of those who hold the card; then those of them that would charge it. */
const find: Statement = {
  name: 'find_disputed_payments',
  text: `
    with dispute as (
      select * from disputes where merchant_id = $1 and dispute_id = $2 and blocks_retries
    ),
    methods as (
      select m.customer_id, m.psp_customer_id from dispute d
      join payment_methods m
        on m.merchant_id = d.merchant_id and m.payment_method_id = d.payment_method_id
      union
      select m.customer_id, m.psp_customer_id from dispute d
      join payment_methods m on m.merchant_id = d.merchant_id and m.fingerprint = d.card_fingerprint
    ),
    holders as (
      select customer_id, psp_customer_id from methods
      union
      select customer_id, psp_customer_id from dispute
    ),
    open as (
      select p.* from holders h
      join payments p on p.merchant_id = $1 and p.customer_id = h.customer_id
      where p.state in ('scheduled', 'attempting')
      union
      select p.* from holders h
      join payments p on p.merchant_id = $1 and p.psp_customer_id = h.psp_customer_id
      where p.state in ('scheduled', 'attempting') and p.psp_customer_id is not null
    )
    select p.invoice_id from open p where ${isPaymentDisputed('p')} order by p.invoice_id`,
};

/** The open payments that would charge a disputed card. */
export async function findDisputedPayments(
  db: Queryable,
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<readonly string[]> {
  const rows = await db.query<{ invoice_id: string }>(find, [merchantId, disputeId]);
  return rows.map((row) => row.invoice_id);
}
