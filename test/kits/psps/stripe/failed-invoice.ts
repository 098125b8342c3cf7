import type { StripeObject } from './objects.ts';
import type { StripeWorld } from './world.ts';

export interface FailedInvoiceInput {
  readonly amount?: number;
  readonly currency?: string;
  readonly methodId?: string;
  /** Null for an invoice of no subscription. */
  readonly subscription?: string | null;
}

export interface FailedInvoice {
  readonly invoice: StripeObject;
  readonly charge: StripeObject;
  readonly intent: StripeObject;
  /** The event that Stripe sends of it, in the shape of the newest API version. */
  readonly event: StripeEvent;
}

/** Stripe's own charge of a new invoice of `cus_1`, declined. */
export function failedInvoice(world: StripeWorld, input: FailedInvoiceInput = {}): FailedInvoice {
  const { amount = 2000, currency = 'usd', methodId = 'pm_decline' } = input;
  const customer = 'cus_1';
  const subscription =
    input.subscription === undefined ? world.makeSubscription(customer).id : input.subscription;
  const invoice = world.makeInvoice({ amount, currency, customer, subscription });
  const intent = intentOf(world, invoice);
  world.charge(intent, methodId, 'of Stripe itself');
  const charge = world.find(String(intent.latest_charge), 'charge');
  if (charge === undefined) throw new Error('the first charge of the invoice was not made');
  return { invoice, charge, intent, event: stripeEvent(world, 'invoice.payment_failed', invoice) };
}

/** The intent of an invoice's default payment. */
export function intentOf(world: StripeWorld, invoice: StripeObject): StripeObject {
  const payment = world.paymentsOf(invoice.id).find((item) => item.is_default === true);
  const reference = payment?.payment as { payment_intent: string };
  const intent = world.find(reference.payment_intent, 'payment_intent');
  if (intent === undefined) throw new Error('the invoice has no default payment');
  return intent;
}

export type StripeEvent = StripeObject & { readonly type: string };

/** An event about an object as it is now. */
export function stripeEvent(
  world: StripeWorld,
  type: string,
  object: object,
  previous?: object,
): StripeEvent {
  return {
    id: world.nextId('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: world.seconds(),
    data: {
      object: structuredClone(object),
      ...(previous !== undefined && { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
