/** Where the page of one delivery stands. */
export function deliveryPath(merchantId: string, eventId: string): string {
  return `/webhooks/${encodeURIComponent(merchantId)}/${encodeURIComponent(eventId)}`;
}
