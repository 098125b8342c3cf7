import type { InvoiceKey } from '../../recovery/intake-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** A debt and another id under which it was reported. */
export interface OtherName extends InvoiceKey {
  readonly reportedAs: string;
}

/** SQL for a transaction that is there: one of the same id that failed gives its place to the success, and no other. */
export const successTakesPlace = `do update
      set transaction_id = excluded.transaction_id, psp = excluded.psp,
          customer_id = excluded.customer_id, subscription_id = excluded.subscription_id,
          payment_method_id = excluded.payment_method_id, amount_minor = excluded.amount_minor,
          currency = excluded.currency, success = excluded.success,
          network_transaction_id = excluded.network_transaction_id,
          occurred_at = excluded.occurred_at, detail = excluded.detail,
          received_at = excluded.received_at
      where excluded.success and not transactions.success`;

/**
 * What was reported under another id of a debt goes to the debt: transactions, their places in the
 * histories of cards, and that nothing is owed. Of a charge that both have, the debt's own stays, unless the
 * other one says that it succeeded. Whoever holds payments holds them before, in one transaction with it.
 */
const move: Statement = {
  name: 'move_debt_history',
  text: `
    with pairs as (
      select distinct * from unnest($1::text[], $2::text[], $3::text[])
        as i (merchant_id, invoice_id, reported_as)
    ),
    held as (
      select * from (
        select t.merchant_id, t.invoice_id, t.psp_transaction_id, i.invoice_id as debt_id
        from pairs i
        join transactions t on t.merchant_id = i.merchant_id and t.invoice_id = i.reported_as
        order by t.merchant_id, t.invoice_id, t.psp_transaction_id
        for update of t
      ) locked offset 0
    ),
    gone as (
      delete from transactions t using held h
      where t.merchant_id = h.merchant_id and t.invoice_id = h.invoice_id
        and t.psp_transaction_id = h.psp_transaction_id
      returning t.*, h.debt_id
    ),
    moved as (
      insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
        customer_id, subscription_id, payment_method_id, amount_minor, currency, success,
        network_transaction_id, occurred_at, detail, received_at)
      select distinct on (merchant_id, debt_id, psp_transaction_id)
        merchant_id, debt_id, transaction_id, psp_transaction_id, psp, customer_id,
        subscription_id, payment_method_id, amount_minor, currency, success,
        network_transaction_id, occurred_at, detail, received_at
      from gone
      order by merchant_id, debt_id, psp_transaction_id, success desc
      on conflict (merchant_id, invoice_id, psp_transaction_id) ${successTakesPlace}
    ),
    taken as (
      delete from card_attempts a using gone g
      where a.merchant_id = g.merchant_id and a.origin = 'reported'
        and a.charge_ref = g.invoice_id || '/' || g.psp_transaction_id
      returning a.*, g.debt_id, g.debt_id || '/' || g.psp_transaction_id as debt_ref
    ),
    counted as (
      insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
        initiator, credential, payment_method_id, invoice_id, amount_minor, currency,
        acquirer_country, outcome, network_code, advice_code, hard_decline, at)
      select merchant_id, debt_ref, card_key, acceptor, origin, network,
        initiator, credential, payment_method_id, debt_id, amount_minor, currency,
        acquirer_country, outcome, network_code, advice_code, hard_decline, at
      from taken
      on conflict (merchant_id, charge_ref) do nothing
    ),
    closings as materialized (
      select c.merchant_id, i.invoice_id, c.reason, c.closed_at
      from pairs i
      join closed_invoices c on c.merchant_id = i.merchant_id and c.invoice_id = i.reported_as
    ),
    closed as (
      insert into closed_invoices (merchant_id, invoice_id, reason, closed_at)
      select merchant_id, invoice_id, reason, closed_at from closings
      order by merchant_id, invoice_id
      on conflict (merchant_id, invoice_id) do nothing
    )
    select 1`,
};

export async function moveHistory(db: Queryable, names: readonly OtherName[]): Promise<void> {
  const others = names.filter((name) => name.reportedAs !== name.invoiceId);
  if (others.length === 0) return;
  await db.query(move, [
    others.map((name) => name.merchantId),
    others.map((name) => name.invoiceId),
    others.map((name) => name.reportedAs),
  ]);
}
