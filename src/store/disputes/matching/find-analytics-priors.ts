import type { Queryable, Statement } from '../../database.ts';

/** More than a customer pays in the time that counts, and a bound for one who pays daily. */
const max = 500;

/**
 * When charges were made that can speak for a later one beside the analytics record's own: of the
 * same card, at the same PSP, paid, never disputed or reported, whose checkouts have the same
 * public address and the same e-mail address by their keyed hashes. A renewal has those of its
 * subscription's checkout. The card is that of the newest charge. $3: since when.
 */
const find: Statement = {
  name: 'find_priors_of_analytics',
  text: `
    with alike as (
      select a.psp, a.charge_id, a.transaction_id, a.invoice_id, a.subscription_id
      from analytics c
      join analytics a on a.merchant_id = c.merchant_id and a.ip_index = c.ip_index
        and a.email_index = c.email_index and a.psp = c.psp and a.state <> 'erased'
      where c.merchant_id = $1 and c.analytics_id = $2 and c.state <> 'erased' and c.has_public_ip
      order by a.captured_at desc
      limit ${max}
    ),
    invoices as (
      select psp, invoice_id from alike where invoice_id is not null
      union
      select a.psp, t.invoice_id from alike a
      join transactions t on t.merchant_id = $1 and t.subscription_id = a.subscription_id
    ),
    paid as (
      select t.psp_transaction_id as id, t.transaction_id as other_id, t.payment_method_id,
             t.occurred_at as charged_at, t.amount_minor
      from alike a join transactions t on t.merchant_id = $1 and t.success and t.psp = a.psp
        and t.psp_transaction_id in (a.charge_id, a.transaction_id)
      union
      select t.psp_transaction_id, t.transaction_id, t.payment_method_id, t.occurred_at,
             t.amount_minor
      from invoices i join transactions t on t.merchant_id = $1 and t.success and t.psp = i.psp
        and t.invoice_id = i.invoice_id
      union
      select o.psp_transaction_id, null, o.payment_method_id, o.sent_at, o.amount_minor
      from invoices i join psp_transactions o on o.merchant_id = $1 and o.psp = i.psp
        and o.invoice_id = i.invoice_id and o.state = 'succeeded'
      where o.psp_transaction_id is not null
    ),
    charges as (
      select distinct on (p.id) p.*, coalesce(m.fingerprint, p.payment_method_id) as card
      from paid p
      left join payment_methods m
        on m.merchant_id = $1 and m.payment_method_id = p.payment_method_id
      order by p.id, p.charged_at
    )
    select c.charged_at from charges c
    where c.card = (select card from charges order by charged_at desc, id limit 1)
      and c.charged_at > $3 and c.amount_minor > 0
      and not exists (
        select from disputes d
        where d.merchant_id = $1 and d.payment_ids && array[c.id, c.other_id])
    order by c.charged_at desc
    limit ${max}`,
};

export async function findAnalyticsPriors(
  db: Queryable,
  input: { readonly merchantId: string; readonly analyticsId: string; readonly since: Date },
): Promise<readonly Date[]> {
  const { merchantId, analyticsId, since } = input;
  const rows = await db.query<{ charged_at: Date }>(find, [merchantId, analyticsId, since]);
  return rows.map((row) => row.charged_at);
}
