/** SQL of the number that the next attempt of the invoice of row `of` has. */
export function nextNumber(of: string): string {
  return `1 + coalesce((select max(n.number) from recorded_attempts n
    where n.merchant_id = ${of}.merchant_id and n.invoice_id = ${of}.invoice_id), 0)`;
}
