/**
 * A join `won` to the charge that recovered a payment of an alias: a merchant may ask for less than had failed. Without
 * one, the payment was paid in another way.
 */
export const wonOf = (payment: string): string => `
  left join lateral (
    select max(a.amount_minor) as amount_minor from recorded_attempts a
    where a.merchant_id = ${payment}.merchant_id and a.invoice_id = ${payment}.invoice_id
      and a.state = 'succeeded' and not a.contradicts
    offset 0
  ) won on true`;

/** The charge `t` that recovered a payment of an alias, of which an invoice has one at most. */
export const winningOf = (payment: string): string => `
  psp_transactions t
  where t.merchant_id = ${payment}.merchant_id and t.invoice_id = ${payment}.invoice_id
    and t.state = 'succeeded' and not t.contradicts`;
