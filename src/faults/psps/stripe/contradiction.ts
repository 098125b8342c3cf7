import type { StripeAccount, StripeEvent } from './stripe-account.ts';

/** As a declined charge is, in place of what a success says. */
const failed = {
  status: 'failed',
  paid: false,
  captured: false,
  amount_captured: 0,
  failure_code: 'card_declined',
  failure_message: 'Your card was declined.',
  outcome: {
    network_status: 'declined_by_network',
    reason: 'do_not_honor',
    seller_message: 'The bank declined.',
    type: 'issuer_declined',
  },
};

/** An event that says of a charge that succeeded that it did not. Its own list of events does not have it. */
export function contradictionOf(account: StripeAccount, key: string): StripeEvent | undefined {
  const told = account.all('event').find((event) => {
    const { idempotency_key: requested } = event.request as { idempotency_key: string | null };
    return event.type === 'charge.succeeded' && requested === key;
  });
  if (told === undefined) return undefined;
  const { object } = told.data as { object: object };
  const id = `${told.id}_contradicted`;
  const data = { object: { ...object, ...failed } };
  return { id, body: JSON.stringify({ ...told, id, type: 'charge.failed', data }) };
}
