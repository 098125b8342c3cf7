/** Where the page of one payment stands. */
export function paymentPath(key: {
  readonly merchant_id: string;
  readonly invoice_id: string;
}): string {
  return `/payments/${encodeURIComponent(key.merchant_id)}/${encodeURIComponent(key.invoice_id)}`;
}
