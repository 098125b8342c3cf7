import type { StripeAccount, StripeEvent } from './stripe-account.ts';
import type { StripePsp } from './stripe-psp.ts';

/** An event as Stripe sends it, under the account's signature. */
export function signedEvent(
  stripe: StripePsp,
  account: StripeAccount,
  event: StripeEvent,
): { readonly rawBody: Buffer; readonly headers: Readonly<Record<string, string>> } {
  return {
    rawBody: Buffer.from(event.body),
    headers: {
      'content-type': 'application/json',
      'stripe-signature': stripe.signature(account, event.body),
    },
  };
}
