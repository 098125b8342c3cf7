/** Where the page of one customer of a merchant stands. */
export function customerPath(of: {
  readonly merchant_id: string;
  readonly customer_id: string;
}): string {
  return `/customers/${encodeURIComponent(of.merchant_id)}/${encodeURIComponent(of.customer_id)}`;
}
