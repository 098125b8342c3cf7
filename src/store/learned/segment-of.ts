/**
 * SQL of the segment of an invoice, for an alias of rows with its keys: the product, as the merchant reported it.
 */
export const segmentOf = (alias: string): string => `(
  select t.detail #>> '{subscription,product_id}' from transactions t
  where t.merchant_id = ${alias}.merchant_id and t.invoice_id = ${alias}.invoice_id limit 1)`;
